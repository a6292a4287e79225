#!/usr/bin/env python3
"""Draws the modules and folders of the sources: sizes, imports, references; and finds what breaks the rules.

    module_map.py            the map, then what is wrong
    module_map.py --check    only what is wrong; exit status 1 when there is something
    module_map.py --markdown the table that Architecture.md shows

Wrong are: an import that does not point up the list of targets in Package.swift, folders of a module that reach each other in
a circle, and a declaration whose name occurs nowhere else in the sources. Names are compared, types are not resolved: what one
name stands for twice is taken for one, so that some circles and dead declarations are not seen, and none are made up but for
names that clash.
"""

import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"

TYPE = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|final|indirect)\s+)*"
                  r"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)", re.M)
PRIVATE_TYPE = re.compile(r"^private\s+", re.M)
IMPORT = re.compile(r"^(?:@\w+\s+)*(?:package |public |internal )?import (\w+)", re.M)
DECLARATION = re.compile(
    r"^\s*(?P<prefix>(?:@\w+(?:\([^)]*\))?\s+|(?:package|internal|fileprivate|private|final|static|mutating|nonmutating|"
    r"indirect|lazy|class|override|weak|unowned)(?:\([a-z]+\))?\s+)*)"
    r"(?P<kind>func|var|let|struct|class|enum|protocol|actor|typealias)\s+(?P<name>`?[A-Za-z_]\w*`?)", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
# Called by the compiler or by a macro, never by name.
IMPLICIT = {"init", "body", "hash", "encode", "description", "debugDescription", "main", "makeIterator", "subscript",
            "next", "underestimatedCount", "rawValue", "allCases", "configuration", "errorDescription", "help",
            "defaultValueDescription", "allValueStrings", "callAsFunction"}


def without_comments(text):
    """The code of a file: comments and the characters of strings become spaces, interpolations stay; lines stay."""
    out = []
    at = 0
    depth = []  # open interpolations: parentheses that are open in each

    def blank(part):
        out.append(re.sub(r"[^\n]", " ", part))

    def string(at):
        """Reads a string from behind its opening quotes; gives where it ends, or where an interpolation begins."""
        while at < len(text):
            quotes, hashes = strings[-1]
            if text.startswith("\\" + hashes + "(", at):
                out.append(" " * (2 + len(hashes)))
                depth.append(0)
                return at + 2 + len(hashes)
            if text.startswith(quotes + hashes, at):
                strings.pop()
                blank(quotes + hashes)
                return at + len(quotes + hashes)
            step = 2 if text[at] == "\\" and not hashes else 1
            blank(text[at:at + step])
            at += step
        return at

    strings = []
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            blank(text[at:end])
            at = end
            continue
        if text.startswith("/*", at):
            end = text.find("*/", at)
            end = len(text) if end < 0 else end + 2
            blank(text[at:end])
            at = end
            continue
        opening = re.compile(r'(#*)("""|")').match(text, at)
        if opening:
            strings.append((opening.group(2), opening.group(1)))
            blank(opening.group(0))
            at = string(opening.end())
            continue
        if depth:
            if text[at] == "(":
                depth[-1] += 1
            elif text[at] == ")":
                if depth[-1] == 0:
                    depth.pop()
                    out.append(" ")
                    at = string(at + 1)
                    continue
                depth[-1] -= 1
        out.append(text[at])
        at += 1
    return "".join(out)


class File:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.code = without_comments(self.text)
        parts = path.relative_to(SOURCES).parts
        self.module = parts[0]
        self.folder = parts[1] if len(parts) > 2 else "."
        self.lines = self.text.count("\n")
        self.words = collections.Counter(WORD.findall(self.code))
        self.imports = set(IMPORT.findall(self.code))
        self.types = set(TYPE.findall(self.code))

    def line(self, offset):
        return self.code.count("\n", 0, offset) + 1

    def name(self):
        return str(self.path.relative_to(ROOT))


def read_targets():
    """The Swift targets below Sources in the order of the manifest, which is the order of the modules."""
    manifest = (ROOT / "Package.swift").read_text(encoding="utf-8")
    names = re.findall(r"\.(?:executableTarget|target)\(\s*name:\s*\"(\w+)\"", manifest)
    return [name for name in names if any((SOURCES / name).rglob("*.swift"))]


def circles(graph):
    """Groups of folders that reach each other (Tarjan's strongly connected components)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = []
            while True:
                group.append(stack.pop())
                if group[-1] == node:
                    break
            if len(group) > 1:
                found.append(sorted(group))

    for node in list(graph):
        if node not in order:
            visit(node)
    return found


def references(files):
    """Which folders of one module use top-level types of which others: {(from, to): {type: a file that uses it}}."""
    owners = collections.defaultdict(set)
    for file in files:
        for name in file.types:
            owners[name].add(file.folder)
    found = collections.defaultdict(dict)
    for file in files:
        for name, folders in owners.items():
            if len(folders) == 1 and file.folder not in folders and file.words[name]:
                found[(file.folder, next(iter(folders)))].setdefault(name, file)
    return found


def functions(file):
    """Every function of a file with its number of lines, by the indentation that swift-format keeps."""
    lines = file.code.split("\n")
    start = re.compile(r"^(\s*)(?:[@\w()]+\s+)*(?:func\s+([^\s(<]+)|(init)[?(<])")
    for at, line in enumerate(lines):
        match = start.match(line)
        if not match or line.rstrip().endswith("}"):
            continue
        for end in range(at + 1, len(lines)):
            if lines[end].rstrip() == match.group(1) + "}":
                yield end - at + 1, f"{match.group(2) or match.group(3)}", at + 1
                break
            if lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) < len(match.group(1)):
                break


def dead_declarations(files):
    """Declarations that are not public and whose names occur nowhere but where they are declared."""
    uses = collections.Counter()
    declared = collections.defaultdict(list)
    for file in files:
        uses.update(file.words)
        for match in DECLARATION.finditer(file.code):
            name = match.group("name").strip("`")
            if name in IMPLICIT or name == "_" or "override" in match.group("prefix") or "public" in match.group("prefix"):
                continue
            declared[name].append((file, match))
    dead = []
    for name, places in declared.items():
        if uses[name] > len(places):
            continue
        for file, match in places:
            lineStart = file.code.rfind("\n", 0, match.start("kind")) + 1
            # Properties that a property wrapper declares for the command line are read by reflection.
            if "@" in file.code[lineStart:match.start("kind")] and "inlin" not in file.code[lineStart:match.start("kind")]:
                continue
            dead.append((file, file.line(match.start("kind")), match.group("kind"), name))
    return sorted(dead, key=lambda item: (item[0].name(), item[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only what is wrong")
    parser.add_argument("--markdown", action="store_true", help="the table of Architecture.md")
    options = parser.parse_args()

    targets = read_targets()
    files = [File(path) for target in targets for path in sorted((SOURCES / target).rglob("*.swift"))]
    modules = {target: [file for file in files if file.module == target] for target in targets}
    wrong = []

    if options.markdown:
        print("| Module | Files | Lines | Imports | Folders (lines) |")
        print("|---|---|---|---|---|")
    for position, target in enumerate(targets):
        own = modules[target]
        imports = sorted(set().union(*(file.imports for file in own)) & set(targets), key=targets.index)
        for file in own:
            for name in sorted(file.imports & set(targets[position:])):
                wrong.append(f"{file.name()}: imports {name}, which does not stand above {target}")
        folders = collections.defaultdict(list)
        for file in own:
            folders[file.folder].append(file)
        found = references(own)
        graph = collections.defaultdict(set)
        for source, goal in found:
            graph[source].add(goal)
        for group in circles(graph):
            ways = []
            for (source, goal), names in sorted(found.items()):
                if source in group and goal in group:
                    name, file = sorted(names.items())[0]
                    ways.append(f"\n    {source} → {goal}: {len(names)} types ({name} in {file.path.name})")
            wrong.append(f"Sources/{target}: the folders {', '.join(group)} reach each other" + "".join(ways))
        lines = sum(file.lines for file in own)
        if options.markdown:
            sizes = ", ".join(
                f"{name} {sum(file.lines for file in part):,}" for name, part in sorted(folders.items()) if name != ".")
            print(f"| {target} | {len(own)} | {lines:,} | {', '.join(imports) or '–'} | {sizes or '–'} |")
        elif not options.check:
            print(f"{target}: {len(own)} files, {lines:,} lines; imports {', '.join(imports) or 'no module'}")
            for name, part in sorted(folders.items()):
                uses = sorted(graph[name])
                print(f"  {name + '/':<16}{len(part):>3} files {sum(file.lines for file in part):>6,} lines"
                      + (f"   uses {', '.join(uses)}" if uses else ""))

    if not options.check:
        longest = max(((count, name, file, line) for file in files for count, name, line in functions(file)),
                      key=lambda item: item[0])
        largest = max(files, key=lambda file: file.lines)
        folders = collections.Counter((file.module, file.folder) for file in files)
        (module, folder), count = folders.most_common(1)[0]
        print()
        print(f"{len(files)} files, {sum(file.lines for file in files):,} lines")
        print(f"longest function: {longest[1]}, {longest[0]} lines ({longest[2].name()}:{longest[3]})")
        print(f"largest file: {largest.name()}, {largest.lines} lines")
        print(f"fullest folder: Sources/{module}/{folder}, {count} files")

    for file, line, kind, name in dead_declarations(files):
        wrong.append(f"{file.name()}:{line}: {kind} {name} is used nowhere")
    for message in wrong:
        print(message)
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
