#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/run: what it counts and writes of programs that pass, fail, skip, lie or die."""
import os
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

FOLDER = tempfile.TemporaryDirectory(prefix="runner-")


def program(name, text):
    path = os.path.join(FOLDER.name, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, stat.S_IRWXU)
    return path


GOOD = program("good.sh", "echo 1..2\necho 'ok 1 - good::first (1.25s)'\necho 'ok 2 - good::second # SKIP no \"such\" <board> is here'\n")
BAD = program("bad.sh", "echo 1..2\necho 'not ok 1 - bad::value'\necho '  expected 3 & came 4'\nprintf '  \\001\\n'\necho 'ok 2 - bad::other'\n")
LIES = program("lies.sh", "echo 1..3\necho 'ok 1 - lies::one'\n")
DIES = program("dies.sh", "echo 1..1\nkill -9 $$\n")


def run(*programs, junit=None):
    words = [sys.executable, os.path.join(tap.TOP, "tests/run"), "--logs", os.path.join(FOLDER.name, "logs"), *programs]
    if junit:
        words[2:2] = ["--junit", junit]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tap.TOP)
    return done.returncode, done.stdout.splitlines()


def junit_of(*programs):
    path = os.path.join(FOLDER.name, "results/of/today.xml")
    run(*programs, junit=path)
    return xml.parse(path).getroot()


@tap.test
def the_last_line_counts_what_passed_failed_and_was_skipped():
    for programs, status, last in (((GOOD,), 0, "1 passed, 0 failed, 1 skipped"), ((GOOD, BAD, LIES, DIES), 1, "3 passed, 3 failed, 1 skipped")):
        got, lines = run(*programs)
        tap.expect((status, last), (got, lines[-1]), f"exit status and last line of {len(programs)}")


@tap.test
def failures_are_listed_again_at_the_end():
    _, lines = run(GOOD, BAD, LIES)
    again = [line for line in lines if line.startswith("failed: ")]
    tap.expect(["bad::value", "(the whole program)"], [line.split(": ")[1] for line in again], "what failed")
    tap.expect(again, lines[-4:-2], "lines before the sums")


@tap.test
def junit_has_a_suite_for_each_program_and_a_case_for_each_promise():
    top = junit_of(GOOD, BAD)
    sums = {"tests": "4", "failures": "1", "errors": "0"}
    tap.expect(sums, {name: top.get(name) for name in sums}, "sums")
    tap.expect(["1", "0"], [suite.get("skipped") for suite in top], "skips by suite")
    cases = {case.get("name"): case for case in top.iter("testcase")}
    tap.expect(["bad::other", "bad::value", "good::first", "good::second"], sorted(cases), "cases")
    tap.expect("1.250", cases["good::first"].get("time"), "seconds of a case")
    tap.expect('no "such" <board> is here', cases["good::second"].find("skipped").get("message"), "reason of a skip")


# Elements and attributes of the schema by which Jenkins' xUnit plugin takes or refuses a file: junit-10.xsd of jenkinsci/xunit-plugin. + : has to be there.
SCHEMA = {
    "testsuites": ("name time tests failures errors", "testsuite"),
    "testsuite": ("name+ tests+ failures+ errors+ group time skipped timestamp hostname id package file log url",
                  "testsuite properties testcase system-out system-err"),
    "testcase": ("name+ time classname group", "skipped error failure rerunFailure rerunError flakyFailure flakyError system-out system-err"),
    "failure": ("type message", ""), "skipped": ("type message", ""),
}


@tap.test
def junit_is_of_the_schema_that_jenkins_asks_for():
    for element in junit_of(GOOD, BAD, LIES, DIES).iter():
        attributes, children = SCHEMA[element.tag]
        tap.expect([], [name for name in element.keys() if name not in attributes.replace("+", "").split()], f"attributes of {element.tag} besides")
        tap.expect([], [name[:-1] for name in attributes.split() if name[-1] == "+" and element.get(name[:-1]) is None], f"attributes that {element.tag} lacks")
        tap.expect([], [child.tag for child in element if child.tag not in children.split()], f"elements in {element.tag} besides")


@tap.test
def junit_says_what_was_expected_and_how_to_run_it_alone():
    failure = junit_of(BAD).find(".//failure")
    tap.expect("expected 3 & came 4", failure.get("message"), "message")
    lines = failure.text.splitlines()
    tap.expect("?", lines[1], "a character that XML cannot hold")
    tap.expect_in("alone: ", lines[-1], "last line")
    tap.expect_in("bad.sh", lines[-1], "last line")


@tap.test
def junit_counts_a_program_that_lies_or_dies_as_a_failure():
    for path, said in ((LIES, "reported 1 of 3 tests"), (DIES, "died of signal SIGKILL")):
        failure = junit_of(path).find(".//failure")
        tap.expect_in(said, failure.get("message"), path)


tap.run("runner")
