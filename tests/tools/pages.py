#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages in Markdown: what a reader follows is there, and lines fit. Links to other addresses are not looked at."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, test

COLUMNS = 120  # as everywhere in the code (.clang-format)


def pages():
    return [os.path.join(tap.TOP, path) for path in tap.files("*.md")]


def lines_of(path):
    """Lines outside of code blocks, with their numbers."""
    in_code = False
    with open(path) as text:
        for number, line in enumerate(text, 1):
            if line.lstrip().startswith("```"):
                in_code = not in_code
            elif not in_code:
                yield number, line.rstrip("\n")


def anchors_of(path):
    """As GitHub makes them of headings."""
    found = set()
    for _, line in lines_of(path):
        heading = re.match(r"#+ +(.*)", line)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


@test
def every_relative_link_leads_to_a_file_and_a_heading():
    broken = []
    for page in pages():
        text = "\n".join(line for _, line in lines_of(page))
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(target) or (anchor and target.endswith(".md") and anchor not in anchors_of(target)):
                broken.append(f"{os.path.relpath(page, tap.TOP)}: {link}")
    expect([], broken, "links that lead nowhere")


@test
def lines_have_at_most_120_columns_but_in_tables():
    long = [f"{os.path.relpath(page, tap.TOP)}:{number}: {len(line)} columns" for page in pages() for number, line in lines_of(page)
            if len(line) > COLUMNS and not line.lstrip().startswith("|")]
    expect([], long, "lines that are too long")


tap.run("pages")
