#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pcie.c in the guest, with six cards: a heddle-pcie-card each. What it asks for: `kill CARD`, which stops; `end CARD`, of
which all reads ones; `see-dma CARD`, whether it has been asked for data in the guest's memory. A word on the command line chooses
the tests whose names hold it."""
import os
import shutil
import tempfile

import boot

USUAL, VERILATED = "0000:00:10.0", "0000:00:11.0"
THAT_GO = [f"0000:00:{slot}.0" for slot in (12, 13, 14, 15)]


class Cards(boot.Outside):
    def __init__(self, folder):
        super().__init__()
        self.folder, self.processes = folder, {}
        self.memory = os.path.join(folder, "memory")

    def options(self):
        words = ["-machine", "q35,memory-backend=ram,kernel-irqchip=split", "-device", "intel-iommu",
                 "-object", f"memory-backend-file,id=ram,share=on,size={boot.MEMORY},mem-path={self.memory}"]
        for card in (USUAL, VERILATED, *THAT_GO):
            socket = os.path.join(self.folder, card.replace(":", "-"))
            model = ["--verilated", os.path.join(boot.BUILD, "lib/heddle/rtl-L8-S32-P.so")] if card == VERILATED else []
            self.processes[card], said = self.start("bin/heddle-pcie-card", "--guest-memory", self.memory, *model, socket)
            if said != f"waiting at {socket}":
                raise boot.Failed(f"heddle-pcie-card said {said}")
            slot = card.split(":")[2]
            words += ["-chardev", f"socket,id=card{slot},path={socket}",
                      "-device", f"ivshmem-doorbell,chardev=card{slot},vectors=1,addr={slot}"]
        return words

    def do(self, words):
        how, card = words
        process = self.processes[card]
        if how == "see-dma":
            # A card maps the guest's memory when it is first asked for data there.
            with open(f"/proc/{process.pid}/maps") as maps:
                if self.memory not in maps.read():
                    raise boot.Failed("the card has not been asked for data in the guest's memory")
            return
        del self.processes[card]
        if how == "kill":
            process.kill()
            process.wait()
        elif how == "end":
            self.end(process)
        else:
            raise ValueError(f"nobody knows how to {how} a card")


def main():
    # The guest's memory is a file that two processes map: better none on a disk, where there is room elsewhere.
    room = shutil.disk_usage("/dev/shm").free if os.path.isdir("/dev/shm") else 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if room > 1 << 30 else None) as folder, Cards(folder) as cards:
        boot.run("pcie", cards, "intel_iommu=on")


if __name__ == "__main__":
    main()
