#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make dist`, in clones of this repository, and `make -n`, in what is unpacked of it."""
import os
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

FOLDER = tempfile.TemporaryDirectory(prefix="dist-")
# As in a shell of its own: what make tells its children is about another tree.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD")}


def run(folder, *words):
    done = subprocess.run(words, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return done.returncode, done.stdout


def clone(name):
    """A clone of what is committed here, in a folder of its own."""
    if run(tap.TOP, "git", "rev-parse", "--git-dir")[0] != 0:
        raise tap.Skip("this tree is no git repository")
    folder = os.path.join(FOLDER.name, name)
    tap.expect((0, ""), run(FOLDER.name, "git", "clone", "-q", "--no-hardlinks", tap.TOP, folder), "git clone")
    return folder


def dist(folder):
    status, said = run(folder, "make", "dist")
    tap.expect(0, status, said)
    names = [name for name in os.listdir(os.path.join(folder, "build")) if name.endswith(".tar.gz")]
    tap.expect(1, len(names), f"files of make dist, {names}")
    return os.path.join(folder, "build", names[0])


@tap.test
def it_is_the_same_bytes_in_any_folder_and_installs_nothing():
    first, second = clone("one"), clone("another/folder/deeper")
    # What a user has told git of his own files is not about these bytes.
    run(second, "git", "config", "core.autocrlf", "true")
    with open(os.path.join(second, ".git/attributes"), "w") as attributes:
        attributes.write("*.md export-ignore\n")
    run(second, "git", "config", "core.attributesFile", os.path.join(second, ".git/attributes"))
    with open(dist(first), "rb") as one, open(dist(second), "rb") as other:
        tap.expect(True, one.read() == other.read(), "same bytes")
    tap.expect(False, os.path.exists(os.path.join(first, ".venv")), ".venv was made")


@tap.test
def it_refuses_a_tree_with_changes():
    folder = clone("changed")
    with open(os.path.join(folder, "README.md"), "a") as page:
        page.write("changed\n")
    status, said = run(folder, "make", "dist")
    tap.expect(2, status, "exit status")
    tap.expect_in("commit them first", said, "message")


@tap.test
def unpacked_it_is_whole_and_make_n_installs_nothing():
    with tarfile.open(dist(clone("packed"))) as archive:
        archive.extractall(FOLDER.name, filter="data")
        top = os.path.join(FOLDER.name, archive.getnames()[0].split("/")[0])
    version = open(os.path.join(top, "contract/version.h")).read().split('"')[1]
    tap.expect(f"heddle-{version}", os.path.basename(top), "name of the folder")
    status, said = run(top, "make", "-n", "build/bin/heddle")
    tap.expect(0, status, said[-300:])
    tap.expect_in("gcc", said, "what make would do")
    tap.expect(False, os.path.exists(os.path.join(top, ".venv")), ".venv was made")
    # Tests that go over all files, and `make dist` itself, without git; also below another repository.
    run(FOLDER.name, "git", "init", "-q")
    for test in ("pages", "includes"):
        status, said = run(top, sys.executable, f"tests/tools/{test}.py")
        tap.expect(0, status, f"{test}.py: {said[-300:]}")
    tap.expect((2, True), (lambda status, said: (status, "this tree is no git repository" in said))(*run(top, "make", "dist")), "make dist in it")


@tap.test
def every_job_that_builds_does_the_set_up_first_but_for_make_n():
    folder = clone("fresh")
    setup = os.path.join(folder, ".ci/setup")
    with open(setup, "w") as script:
        script.write("#!/bin/sh\nmkdir -p .venv && touch .venv/heddle-setup.mk && echo ran >> ran\n")
    for words, runs in ((("help",), 0), (("-n", "no-such-job"), 0), (("no-such-job",), 1), (("no-such-job",), 1)):
        run(folder, "make", *words)
        ran = open(os.path.join(folder, "ran")).read() if os.path.exists(os.path.join(folder, "ran")) else ""
        tap.expect("ran\n" * runs, ran, f"set-up by make {' '.join(words)}")


@tap.test_for(space="with space", quote="odd'quote", dollar="do$lar", brackets="par(en)", colon="co:lon", percent="per%cent")
def a_folder_whose_name_make_cannot_take_is_refused_with_the_characters(name):
    status, said = run(clone(name), "make", "help")
    tap.expect(2, status, said[-300:])
    tap.expect_in("the folder of this checkout is ", said, "message")
    tap.expect(1, said.count("\n"), "lines")


@tap.test
def places_to_install_at_that_would_be_others_are_refused():
    for words in ("PREFIX=out", "PREFIX=/a b", "PREFIX=/a,b", "DESTDIR=/a b", "DESTDIR=$$(touch${IFS}touched)", "LIBDIR=lib", "SYSCONFDIR=/e;x"):
        status, said = run(tap.TOP, "make", "-n", "uninstall", words)
        tap.expect(2, status, f"make uninstall {words}: {said[-300:]}")
        tap.expect_in(words.split("=")[0] + (" is " if "/" in words and "," not in words or "$" in words else " must be a path"), said, words)


@tap.test
def a_checkout_that_moves_names_its_new_folder_after_make():
    # The places alone: what is built is of make's own rules, and there are none of a compiler's.
    folder = clone("before")
    run(folder, "mkdir", "-p", ".venv", "build/lib", "build/etc/OpenCL/vendors")
    run(folder, "touch", ".venv/heddle-setup.mk")
    names = ("build/etc/OpenCL/vendors/heddle.icd", "build/share/heddle/rtl", "build/folder")

    def make(folder):
        status, said = run(folder, "make", "-o", "build/lib/libheddle.so", *names)
        tap.expect(0, status, said[-300:])
        return said

    make(folder)
    tap.expect_in("is up to date", make(folder), "a second time")
    moved = os.path.join(FOLDER.name, "behind")
    os.rename(folder, moved)
    make(moved)
    with open(os.path.join(moved, names[0])) as icd:
        tap.expect(moved + "/build/lib/libheddle.so\n", icd.read(), "heddle.icd")
    tap.expect(moved, os.readlink(os.path.join(moved, names[1])), "link to the sources")
    # And a copy, while the other is still there.
    copied = os.path.join(FOLDER.name, "copied")
    run(FOLDER.name, "cp", "-a", moved, copied)
    make(copied)
    with open(os.path.join(copied, names[0])) as icd:
        tap.expect(copied + "/build/lib/libheddle.so\n", icd.read(), "heddle.icd of the copy")
    tap.expect(copied, os.readlink(os.path.join(copied, names[1])), "link to the sources of the copy")


tap.run("dist")
