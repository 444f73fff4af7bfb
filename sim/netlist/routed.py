# SPDX-License-Identifier: Apache-2.0
"""Undoes what nextpnr-ecp5 packs: turns the cells of a design that is placed and routed (nextpnr --write) into those of a netlist
that Yosys makes, which have models; what each of them is connected to and set to stays what nextpnr made it. Two cells have no like there and are in routed/.
Called by netlist.py.

What holds of the cells, by nextpnr's and Project Trellis' public sources: an input P that nothing is connected to is 1; a parameter PMUX says "0", "1",
or INV for the input's inverse. A register takes DI or, where SD is 0, M. Anything else that these cells can do is refused.
"""


class Failure(Exception):
    """What is wrong with the design, in one line."""


# Cells whose inputs are as they are for Yosys, but for what is said above; with what the models there are for lack: inputs of a
# multiplier from its neighbours.
HARD = ("DP16KD", "MULT18X18D", "EHXPLLL")
CHAINS = ("SRIA", "SRIB")
# What parameters of a register in a pad must be, where they stand; the rest is about modes that are off.
PAD_REGISTER = {"CLKOMUX": "CLK", "CLKIMUX": "CLK", "LSRMUX": "LSR", "CEOMUX": "CEMUX", "CEIMUX": "CEMUX", "CEMUX": "CE", "DELAY.OUTDEL": "DISABLED",
                "DELAY.DEL_VALUE": "0000000", "IOLTOMUX": "NONE", "ODDRXN.MODE": "NONE", "IDDRXN.MODE": "NONE", "MTDDRX.MODE": "NONE"}


def cell_of(kind, parameters, inputs, outputs):
    """A cell as Yosys writes it."""
    return {"type": kind, "parameters": parameters, "attributes": {},
            "port_directions": {**{port: "input" for port in inputs}, **{port: "output" for port in outputs}},
            "connections": {**inputs, **outputs}}


def wire_of(come, go, kind="$pos"):
    """A cell that hands a bit on, or with kind $not its inverse."""
    return cell_of(kind, {"A_SIGNED": 0, "A_WIDTH": 1, "Y_WIDTH": 1}, {"A": come}, {"Y": go})


def highest_net(module):
    return max(bit for net in module["netnames"].values() for bit in net["bits"] if isinstance(bit, int))


class Routed:
    """A module of nextpnr's, of which `cells` are those of a netlist again."""

    def __init__(self, module):
        self.module = module
        self.cells = {}
        self.highest = highest_net(module)

    def add(self, name, kind, parameters, inputs, outputs):
        self.cells[name] = cell_of(kind, parameters, inputs, outputs)

    def wire(self, name, come, go, kind="$pos"):
        self.cells[name] = wire_of(come, go, kind)

    def input_of(self, name, cell, port):
        """The bit at a cell's input, after the multiplexer that is set by the parameter PORTMUX."""
        bits = cell["connections"].get(port) or ["1"]
        how = cell["parameters"].get(port + "MUX", port).strip()
        if how in ("0", "1"):
            return [how]
        if how == "INV":
            if bits[0] in ("0", "1"):
                return ["0" if bits[0] == "1" else "1"]
            self.highest += 1
            self.wire(f"{name}__not_{port}", bits, [self.highest], "$not")
            return [self.highest]
        if how != port:
            raise Failure(f"{name} has {port}MUX {how}")
        return bits

    def inputs_of(self, name, cell, ports):
        return {port: self.input_of(name, cell, port) for port in ports}

    def comb(self, name, cell):
        mode = cell["parameters"].get("MODE", "LOGIC")
        made = {port: bits for port, bits in cell["connections"].items() if bits and cell["port_directions"][port] == "output"}
        if "OFX" in made or made.keys() - {"F", "FCO"}:
            raise Failure(f"{name} is part of a wide LUT")
        value = cell["parameters"]["INITVAL"]
        if mode == "RAMW_BLOCK":  # keeps others out of a slice whose inputs write distributed RAM
            return
        if mode == "LOGIC":
            self.add(name, "LUT4", {"INIT": value}, self.inputs_of(name, cell, "ABCD"), {"Z": made["F"]} if made else {})
        elif mode == "CCU2":
            if not cell["connections"].get("FCI"):
                cell["connections"]["FCI"] = ["0"]  # no carry begins there: nextpnr feeds each from a LUT
            self.add(name, "routed_carry", {"INIT": value, "INJECT": cell["parameters"]["CCU2_INJECT1"]}, self.inputs_of(name, cell, ["A", "B", "C", "D", "FCI"]),
                     made)
        elif mode == "DPRAM":
            self.add(name, "routed_ram", {"INIT": value}, self.inputs_of(name, cell, ["A", "B", "C", "D", "WD", "WAD0", "WAD1", "WAD2", "WAD3", "WRE", "WCK"]), made)
        else:
            raise Failure(f"{name} is a LUT of mode {mode}")

    def ramw(self, name, cell):
        """Wires from a slice to the RAM beside it."""
        for go, come in zip(("WADO0", "WADO1", "WADO2", "WADO3", "WDO0", "WDO1", "WDO2", "WDO3"), ("D0", "B0", "C0", "A0", "C1", "A1", "D1", "B1")):
            if cell["connections"].get(go):
                self.wire(f"{name}__{go}", self.input_of(name, cell, come), cell["connections"][go])

    def ff(self, name, cell):
        parameters = {key: value.strip() for key, value in cell["parameters"].items()}
        source = {"0": "M", "1": "DI"}.get(parameters.pop("SD", None))
        if not source or parameters.get("LSRMODE", "LSR") != "LSR":
            raise Failure(f"{name} is a register that takes neither DI nor M")
        connections = cell["connections"]
        self.add(name, "TRELLIS_FF", {key: value + " " if value in ("0", "1") else value for key, value in parameters.items()},
                 {"DI": connections.get(source) or ["1"], "CLK": connections["CLK"], "CE": connections.get("CE") or ["1"],
                  "LSR": connections.get("LSR") or ["0"]}, {"Q": connections["Q"]})

    def iologic(self, name, cell):
        parameters, connections = cell["parameters"], cell["connections"]
        wrong = {key: parameters[key] for key, value in PAD_REGISTER.items() if parameters.get(key, value) != value}
        used = {port for port, bits in connections.items() if bits and cell["port_directions"][port] == "output"}
        if parameters["MODE"] == "IDDRX1_ODDRX1" and used == {"IOLDO"} and not wrong:
            self.add(name, "ODDRX1F", {}, {"D0": self.input_of(name, cell, "TXDATA0"), "D1": self.input_of(name, cell, "TXDATA1"),
                                           "SCLK": connections["CLK"], "RST": connections["LSR"]}, {"Q": connections["IOLDO"]})
            return
        kinds = {"IOLDO": ("TXDATA0", "OUTREG.OUTREGMODE", "OUTREG.REGSET", "LSROMUX"), "IOLTO": ("TSDATA0", "TSREG.OUTREGMODE", "TSREG.REGSET", "LSROMUX"),
                 "INFF": ("PADDI", "FF.INREGMODE", "FF.REGSET", "LSRIMUX")}
        if parameters["MODE"] != "IREG_OREG" or used - kinds.keys() or wrong:
            raise Failure(f"pad {name} has a mode without a model: {parameters['MODE']} {wrong or sorted(used)}")
        for out in sorted(used):
            data, mode, value, reset = kinds[out]
            reset = parameters.get(reset, "LSRMUX").strip()
            if parameters.get(mode) != "FF" or reset not in ("0", "LSRMUX"):
                raise Failure(f"pad {name} has a register without a model: {mode} {parameters.get(mode)}, reset {reset}")
            self.add(f"{name}.{out}", "TRELLIS_FF", {"CEMUX": "CE", "CLKMUX": "CLK", "LSRMUX": "LSR", "GSR": "DISABLED", "SRMODE": parameters["SRMODE"],
                                                     "REGSET": parameters.get(value, "RESET")},
                     {"DI": connections.get(data) or ["1"], "CLK": connections["CLK"], "CE": connections.get("CE") or ["1"],
                      "LSR": ["0"] if reset == "0" else connections.get("LSR") or ["0"]}, {"Q": connections[out]})

    def pad(self, name, cell):
        """A pad that goes one way is a wire; of the others, its inner sides are what they are in Yosys's netlist."""
        parameters, connections = cell["parameters"], cell["connections"]
        out = "IOLDO" if "IOLDO" in (parameters.get("DATAMUX_OREG"), parameters.get("DATAMUX_ODDR")) else "I"
        released = "IOLTO" if parameters.get("TRIMUX_TSREG") == "IOLTO" else "T"
        if parameters["DIR"] == "INPUT":
            if connections.get("O"):
                self.wire(name, connections["B"], connections["O"])
        elif parameters["DIR"] == "OUTPUT" and not connections.get(released):
            self.wire(name, connections.get(out) or ["1"], connections["B"])
        elif parameters["DIR"] == "BIDIR":
            self.add(name, "TRELLIS_IO", {"DIR": "BIDIR"}, {"I": connections.get(out) or ["1"], "T": connections.get(released) or ["1"]},
                     {"B": connections["B"], **({"O": connections["O"]} if connections.get("O") else {})})
        else:
            raise Failure(f"pad {name} goes out and can be released")

    def clock(self, name, cell):
        if cell["connections"].get("CE"):
            raise Failure(f"clock {name} can be stopped")
        self.wire(name, cell["connections"]["CLKI"], cell["connections"]["CLKO"])

    def hard(self, name, cell):
        ports = cell["port_directions"]
        inputs = self.inputs_of(name, cell, [port for port, way in ports.items() if way == "input" and not port.startswith(CHAINS)])
        if any(cell["connections"].get(port) for port in ports if port.startswith(CHAINS)):
            raise Failure(f"{name} is one of a chain of multipliers")
        multiplexers = {port + "MUX" for port in ports}
        self.add(name, cell["type"], {key: value for key, value in cell["parameters"].items() if key not in multiplexers}, inputs,
                 {port: cell["connections"][port] for port, way in ports.items() if way == "output" and cell["connections"].get(port)})


def check_routed(module):
    """Every cell has its place, and every net that a cell drives for another has a way: `--no-route` and the like are refused."""
    driven, wanted = set(), set()
    for name, cell in module["cells"].items():
        if "NEXTPNR_BEL" not in cell["attributes"]:
            raise Failure(f"{name} is not placed")
        for port, bits in cell["connections"].items():
            (driven if cell["port_directions"][port] == "output" else wanted).update(bits)
    ways = {net["bits"][0] for net in module["netnames"].values() if net["attributes"].get("ROUTING", "").strip()}
    missing = (driven & wanted) - ways
    if missing:
        names = sorted(name for name, net in module["netnames"].items() if net["bits"][0] in missing)
        raise Failure(f"{len(missing)} nets are not routed, such as {names[0]}")


def unpack(module):
    """Changes the module. Raises Failure where a cell does what is not foreseen."""
    check_routed(module)
    design = Routed(module)
    by_type = {"TRELLIS_COMB": design.comb, "TRELLIS_RAMW": design.ramw, "TRELLIS_FF": design.ff, "IOLOGIC": design.iologic, "SIOLOGIC": design.iologic,
               "TRELLIS_IO": design.pad, "DCCA": design.clock, **{kind: design.hard for kind in HARD}}
    for name, cell in module["cells"].items():
        if cell["type"] not in by_type:
            raise Failure(f"no model of {cell['type']}")
        by_type[cell["type"]](name, cell)
    module["cells"] = design.cells
    module["netnames"]["routed__made"] = {"hide_name": 1, "bits": [design.highest], "attributes": {}}
    module.pop("settings", None)
