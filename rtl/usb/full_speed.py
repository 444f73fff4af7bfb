# SPDX-License-Identifier: Apache-2.0
"""Writes usb_full_speed.v: a USB device at full speed on the pins D+ and D-, as "USB" in contract/DEVICE.md has it, with the bytes of
the byte link on its other side. The device is luna-usb's; this says which one, and where a transfer to the host ends.

usage: full_speed.py PRODUCT FILE.v

clk_i has 12 MHz and clk48_i 48 MHz, with a rising edge at each of clk_i's. Bytes are in step with clk_i.
"""

import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # luna-usb's phy wants pins as a Record

from amaranth import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.back import verilog
from amaranth.hdl.rec import Record
from luna.gateware.interface.gateware_phy.phy import GatewarePHY
from luna.gateware.usb.usb2.device import USBDevice
from luna.gateware.usb.usb2.endpoints.stream import USBStreamInEndpoint, USBStreamOutEndpoint
from usb_protocol.emitters import DeviceDescriptorCollection

VENDOR, NUMBER, PACKET_BYTES = 0x1209, 0x0001, 64
TO_HOST, FROM_HOST = 1, 2
IDLE_CYCLES = 127  # without a byte after which a transfer to the host ends: a fifth of a packet's time


def descriptors(product):
    collection = DeviceDescriptorCollection()
    with collection.DeviceDescriptor() as device:
        device.idVendor, device.idProduct = VENDOR, NUMBER
        device.iManufacturer, device.iProduct = "Heddle", product
        device.bNumConfigurations = 1
    with collection.ConfigurationDescriptor() as configuration:
        with configuration.InterfaceDescriptor() as interface:
            interface.bInterfaceNumber = 0
            interface.bInterfaceClass = 0xFF
            for address in (0x80 | TO_HOST, FROM_HOST):
                with interface.EndpointDescriptor() as endpoint:
                    endpoint.bEndpointAddress, endpoint.wMaxPacketSize = address, PACKET_BYTES
    return collection


class FullSpeed(Elaboratable):
    def __init__(self, product):
        self.product = product
        names = "clk_i clk48_i rst_i dp_i dm_i dp_o dm_o drive_o pullup_o byte_valid_o byte_valid_i byte_ready_o"
        for name in names.split():
            setattr(self, name, Signal(name=name))
        self.byte_i, self.byte_o = Signal(8, name="byte_i"), Signal(8, name="byte_o")
        self.ports = [getattr(self, name) for name in names.split()] + [self.byte_i, self.byte_o]

    def elaborate(self, platform):
        m = Module()
        for domain, clock in (("usb", self.clk_i), ("usb_io", self.clk48_i)):
            m.domains += ClockDomain(domain)
            m.d.comb += [ClockSignal(domain).eq(clock), ResetSignal(domain).eq(self.rst_i)]
        pin = [("i", 1), ("o", 1), ("oe", 1)]
        pins = Record([("d_p", pin), ("d_n", pin), ("pullup", [("o", 1)])])
        m.submodules.phy = phy = GatewarePHY(io=pins)
        m.submodules.usb = usb = USBDevice(bus=phy, handle_clocking=False)
        usb.add_standard_control_endpoint(descriptors(self.product))
        to_host = USBStreamInEndpoint(endpoint_number=TO_HOST, max_packet_size=PACKET_BYTES)
        from_host = USBStreamOutEndpoint(endpoint_number=FROM_HOST, max_packet_size=PACKET_BYTES)
        usb.add_endpoint(to_host)
        usb.add_endpoint(from_host)
        m.d.comb += [
            pins.d_p.i.eq(self.dp_i),
            pins.d_n.i.eq(self.dm_i),
            self.dp_o.eq(pins.d_p.o),
            self.dm_o.eq(pins.d_n.o),
            self.drive_o.eq(pins.d_p.oe),
            self.pullup_o.eq(pins.pullup.o),
            usb.connect.eq(1),
            usb.full_speed_only.eq(1),
            self.byte_valid_o.eq(from_host.stream.valid),
            self.byte_o.eq(from_host.stream.payload),
            from_host.stream.ready.eq(1),
        ]

        # The newest byte is held back until the next one comes, or none has for a while: then it is the last of its transfer,
        # which ends with a packet that is not full.
        held, there, idle = Signal(8), Signal(), Signal(range(IDLE_CYCLES + 1))
        stream = to_host.stream
        taken = stream.valid & stream.ready
        m.d.comb += [
            stream.payload.eq(held),
            stream.valid.eq(there & (self.byte_valid_i | (idle == IDLE_CYCLES))),
            stream.last.eq(~self.byte_valid_i),
            self.byte_ready_o.eq(~there | taken),
        ]
        with m.If(self.byte_ready_o):
            m.d.usb += [there.eq(self.byte_valid_i), held.eq(self.byte_i), idle.eq(0)]
        with m.Elif(idle != IDLE_CYCLES):
            m.d.usb += idle.eq(idle + 1)
        return m


def main():
    if len(sys.argv) != 3 or not sys.argv[1].startswith("Heddle"):
        sys.exit(__doc__)
    device = FullSpeed(sys.argv[1])
    text = verilog.convert(device, name="usb_full_speed", ports=device.ports, emit_src=False)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
