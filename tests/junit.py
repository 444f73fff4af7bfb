# SPDX-License-Identifier: Apache-2.0
"""Results of test programs as JUnit XML, the form that CI systems read: `make test JUNIT=FILE`.

A suite is a program with its variables, a case one promise of it. A failed case has what was expected and what came, and the command that runs it
alone; a skipped one its reason. Seconds of a case are those of its program's report, where that has them.
"""
import os
import re
import xml.etree.ElementTree as xml

# Characters that no XML document may hold, not even escaped.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text):
    return FORBIDDEN.sub("?", text)


def case_of(suite, run, name):
    return xml.SubElement(suite, "testcase", classname=clean(run.name), name=clean(name), time=f"{run.took.get(name, 0):.3f}")


def suite_of(run):
    counts = len(run.passed) + len(run.failed) + len(run.skipped)
    suite = xml.Element("testsuite", name=clean(run.name), tests=str(counts), failures=str(len(run.failed)), errors="0", skipped=str(len(run.skipped)),
                        time=f"{run.seconds:.3f}")
    for name in run.passed:
        case_of(suite, run, name)
    for name, details in run.failed:
        said = [line.strip() for line in details]
        failure = xml.SubElement(case_of(suite, run, name), "failure", message=clean(said[0] if said else "failed"))
        failure.text = clean("\n".join(said + ["alone: " + run.alone(name if "::" in name else None)]))
    for name, reason in run.skipped:
        xml.SubElement(case_of(suite, run, name), "skipped", message=clean(reason or "no reason given"))
    return suite


def write(path, runs):
    """Writes the results of `runs`. The file is there as a whole or not at all."""
    suites = [suite_of(run) for run in runs]
    # Schemas know no sum of what was skipped.
    total = {what: str(sum(int(suite.get(what)) for suite in suites)) for what in ("tests", "failures", "errors")}
    top = xml.Element("testsuites", name="heddle", **total, time=f"{sum(run.seconds for run in runs):.3f}")
    top.extend(suites)
    xml.indent(top)
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    unfinished = f"{path}.{os.getpid()}"
    xml.ElementTree(top).write(unfinished, encoding="utf-8", xml_declaration=True)
    os.replace(unfinished, path)
