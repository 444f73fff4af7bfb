#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pcie.c in the guest, with six cards: a heddle-pcie-card each. What it asks for: `kill CARD`, which stops, and `end CARD`, of
which all reads ones. A word on the command line chooses the tests whose names hold it."""
import os
import tempfile

import boot

USUAL, VERILATED = "0000:00:10.0", "0000:00:11.0"
THAT_GO = [f"0000:00:{slot}.0" for slot in (12, 13, 14, 15)]


class Cards(boot.Outside):
    def __init__(self, folder):
        super().__init__()
        self.folder, self.processes = folder, {}

    def options(self):
        memory = os.path.join(self.folder, "memory")
        words = ["-machine", "q35,memory-backend=ram,kernel-irqchip=split", "-device", "intel-iommu",
                 "-object", f"memory-backend-file,id=ram,share=on,size={boot.MEMORY},mem-path={memory}"]
        for card in (USUAL, VERILATED, *THAT_GO):
            socket = os.path.join(self.folder, card.replace(":", "-"))
            model = ["--verilated", os.path.join(boot.BUILD, "lib/heddle/rtl-L8-S32-P.so")] if card == VERILATED else []
            self.processes[card], said = self.start("bin/heddle-pcie-card", "--guest-memory", memory, *model, socket)
            if said != f"waiting at {socket}":
                raise boot.Failed(f"heddle-pcie-card said {said}")
            slot = card.split(":")[2]
            words += ["-chardev", f"socket,id=card{slot},path={socket}",
                      "-device", f"ivshmem-doorbell,chardev=card{slot},vectors=1,addr={slot}"]
        return words

    def do(self, words):
        how, card = words
        process = self.processes.pop(card)
        if how == "kill":
            process.kill()
            process.wait()
        elif how == "end":
            self.end(process)
        else:
            raise ValueError(f"nobody knows how to {how} a card")


def main():
    # The guest's memory is a file that two processes map: better none on a disk.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, Cards(folder) as cards:
        boot.run("pcie", cards, "intel_iommu=on")


if __name__ == "__main__":
    main()
