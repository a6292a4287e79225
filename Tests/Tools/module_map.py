#!/usr/bin/env python3
"""Draws the modules and folders of the sources: sizes, imports, references; and finds what breaks the rules.

    module_map.py                     the map, then what is wrong
    module_map.py --write             updates the figures in Architecture.md
    module_map.py --check KIND...     only what is wrong; exit status 1 when there is something

Kinds: `imports` that do not point up the list of targets in Package.swift; folders of a module that reach each other in
`circles`; `dead` declarations, whose name occurs nowhere else in Sources and Tests; a stale `page`, when a figure in
Architecture.md is more than a twentieth off.

Names are compared, types are not resolved: members of one name are taken for one, so some dead declarations are not seen, and
references by members alone are none.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
PAGE = SOURCES / "FancyText/FancyText.docc/Architecture.md"
# The part of the page that this program writes.
GENERATED = re.compile(r"(<!-- written by module_map.py -->\n).*?(<!-- end -->)", re.S)

TYPE = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|final|indirect)\s+)*"
                  r"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)", re.M)
IMPORT = re.compile(r"^(?:@\w+\s+)*(?:package |public |internal )?import (\w+)", re.M)
DECLARATION = re.compile(
    r"^\s*(?P<prefix>(?:@\w+(?:\([^)]*\))?\s+|(?:package|internal|fileprivate|private|final|static|mutating|nonmutating|"
    r"indirect|lazy|class|override|weak|unowned)(?:\([a-z]+\))?\s+)*)"
    r"(?P<kind>func|var|let|struct|class|enum|protocol|actor|typealias)\s+(?P<name>`?[A-Za-z_]\w*`?)", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
# Asked for by protocols of libraries, never by name here.
IMPLICIT = {"appendInterpolation", "body", "customMirror", "hash", "encode", "description", "debugDescription", "main",
            "makeIterator", "underestimatedCount", "configuration", "errorDescription", "defaultValueDescription", "allValueStrings", "callAsFunction",
            "wrappedValue", "projectedValue"}


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


def folder_of(target):
    """The folder below Sources of a target, whose name has the prefix that keeps it apart from targets of other packages."""
    short = target.removeprefix("FancyText")
    return short if short and (SOURCES / short).is_dir() else target


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
        self.imports = {folder_of(name) for name in IMPORT.findall(self.code)}
        self.types = set(TYPE.findall(self.code))
        self.is_generated = self.text.startswith("// Written by ")

    def line(self, offset):
        return self.code.count("\n", 0, offset) + 1

    def name(self):
        return str(self.path.relative_to(ROOT))


def read_targets():
    """The Swift targets below Sources in the order of the manifest, which is the order of the modules."""
    manifest = (ROOT / "Package.swift").read_text(encoding="utf-8")
    declared = re.findall(r"\.(?:executableTarget|target)\(\s*name:\s*\"(\w+)\"", manifest)
    names = [folder_of(name) for name in declared]
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
        # A name with another module before it is that module's.
        others = "|".join(sorted(file.imports - {file.module})) or "-"
        words = set(WORD.findall(re.sub(rf"\b(?:{others})\.\w+", " ", file.code)))
        for name, folders in owners.items():
            if len(folders) == 1 and file.folder not in folders and name in words:
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
    """Declarations that are not public, and whose names occur nowhere but where they are declared, tests included."""
    uses = collections.Counter()
    for path in (ROOT / "Tests").rglob("*.swift"):
        uses.update(WORD.findall(without_comments(path.read_text(encoding="utf-8"))))
    declared = collections.defaultdict(list)
    for file in files:
        uses.update(file.words)
        for match in DECLARATION.finditer(file.code):
            name = match.group("name").strip("`")
            prefix = match.group("prefix")
            # What an attribute declares is often read by a macro or by reflection.
            is_wrapped = "@" in prefix.replace("@inlinable", "").replace("@usableFromInline", "").replace("@inline", "")
            if name in IMPLICIT or name == "_" or is_wrapped or "override" in prefix or file.is_generated:
                continue
            declared[name].append((file, file.line(match.start("kind")), match.group("kind"), name))
    dead = [place for name, places in declared.items() if uses[name] <= len(places) for place in places]
    return sorted(dead, key=lambda place: (place[0].name(), place[1]))


def table(targets, modules):
    """The modules as Architecture.md shows them."""
    rows = ["| Module | Files | Lines | Imports | Folders (lines) |", "|---|---|---|---|---|"]
    for target in targets:
        own = modules[target]
        sizes = ", ".join(f"{name} {lines:,}" for name, (_, lines) in sorted(folder_sizes(own).items()) if name != ".")
        rows.append(f"| {target} | {len(own)} | {sum(file.lines for file in own):,} "
                    f"| {', '.join(imports(own, targets)) or '–'} | {sizes or '–'} |")
    return rows


def page_part(targets, modules):
    """What Architecture.md says of sizes: the table, then the extremes."""
    files = [file for own in modules.values() for file in own]
    return "\n".join(["", *table(targets, modules), "", *(f"- {line}" for line in extremes(files)), "", ""])


def stale_figures(targets, modules):
    page = GENERATED.search(PAGE.read_text(encoding="utf-8"))
    number = re.compile(r"\d[\d,]*")
    old, new = page.group(0) if page else "", page_part(targets, modules)

    def figures(text):
        return [int(figure.replace(",", "")) for figure in number.findall(re.sub(r"\(\S+:\d+\)", "", text))]

    before, now = figures(old), figures(new)
    if len(before) != len(now) or any(abs(a - b) > max(3, b / 20) for a, b in zip(before, now)):
        yield f"{PAGE.relative_to(ROOT)}: its figures are stale; run Tests/Tools/module_map.py --write"


def drawing(targets, modules):
    """The modules with the folders that each of their folders uses."""
    for target in targets:
        own = modules[target]
        uses = collections.defaultdict(set)
        for source, goal in references(own):
            uses[source].add(goal)
        yield (f"{target}: {len(own)} files, {sum(file.lines for file in own):,} lines; imports "
               + (", ".join(imports(own, targets)) or "no module"))
        for name, (count, lines) in sorted(folder_sizes(own).items()):
            yield (f"  {name + '/':<16}{count:>3} files {lines:>6,} lines"
                   + (f"   uses {', '.join(sorted(uses[name]))}" if uses[name] else ""))


def imports(files, targets):
    return sorted(set().union(*(file.imports for file in files)) & set(targets), key=targets.index)


def folder_sizes(files):
    sizes = collections.defaultdict(lambda: (0, 0))
    for file in files:
        count, lines = sizes[file.folder]
        sizes[file.folder] = (count + 1, lines + file.lines)
    return sizes


def extremes(files):
    """The longest function, the largest file and the largest folders."""
    count, name, file, line = max(
        ((count, name, file, line) for file in files for count, name, line in functions(file)), key=lambda item: item[0])
    largest = max(files, key=lambda file: file.lines)
    folders = collections.Counter()
    for part in files:
        folders[f"Sources/{part.module}/{part.folder}"] += part.lines
    directories = collections.Counter(file.path.parent for file in files)
    fullest = max(directories, key=directories.get)
    longest = max(folders, key=folders.get)
    yield f"{len(files)} files, {sum(file.lines for file in files):,} lines"
    yield f"longest function: {name}, {count} lines ({file.name()}:{line})"
    yield f"largest file: {largest.name()}, {largest.lines} lines"
    yield (f"largest folder: {longest}, {folders[longest]:,} lines; fullest: "
           f"{fullest.relative_to(ROOT)}, {directories[fullest]} files")


def wrong_imports(targets, modules):
    for position, target in enumerate(targets):
        for file in modules[target]:
            for name in sorted(file.imports & set(targets[position:])):
                yield f"{file.name()}: imports {name}, which does not stand above {target}"


def undeclared_imports():
    """Imports that the manifest doesn't name: SwiftPM doesn't compile the target again when such a module changes."""
    manifest = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    for target in manifest["targets"]:
        named = {part[0] for kind in target["dependencies"] for part in kind.values()}
        folder = ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")
        for path in sorted(folder.rglob("*.swift")):
            for name in re.findall(r"^(?:@\w+ )*(?:package |public |internal )?import (C?FancyText\w*)",
                                   path.read_text(encoding="utf-8"), re.MULTILINE):
                if name not in named:
                    yield f"{path.relative_to(ROOT)}: imports {name}, which Package.swift does not name for {target['name']}"


def wrong_circles(targets, modules):
    for target in targets:
        found = references(modules[target])
        graph = collections.defaultdict(set)
        for source, goal in found:
            graph[source].add(goal)
        for group in circles(graph):
            yield f"Sources/{target}: the folders {', '.join(group)} reach each other"
            for (source, goal), names in sorted(found.items()):
                if source in group and goal in group:
                    uses = ", ".join(f"{name} in {file.path.name}" for name, file in sorted(names.items())[:3])
                    yield f"    {source} → {goal}: {len(names)} types ({uses}{', …' if len(names) > 3 else ''})"


# Conversions of what a document, a font or an option made: they trap at NaN and at large numbers. The rasterizer clips first.
UNBOUNDED = re.compile(r"\bU?Int(?:8|16|32|64)?\((?!bounded:)(?:[^()\n]|\([^()\n]*\))*\.rounded\(")


def unbounded_numbers(files):
    for file in files:
        if "Raster" in file.path.parts:
            continue
        for match in UNBOUNDED.finditer(file.text):
            yield f"{file.name()}:{file.line(match.start())}: a number becomes an integer without Int(bounded:)"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", nargs="+", choices=["imports", "circles", "dead", "numbers", "page"], metavar="KIND")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    targets = read_targets()
    files = [File(path) for target in targets for path in sorted((SOURCES / target).rglob("*.swift"))]
    modules = {target: [file for file in files if file.module == target] for target in targets}
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        part = page_part(targets, modules)
        PAGE.write_text(GENERATED.sub(lambda match: match.group(1) + part + match.group(2), page), encoding="utf-8")
        return 0
    if not options.check:
        print("\n".join([*drawing(targets, modules), "", *extremes(files), ""]))
    kinds = options.check or ["imports", "circles", "dead", "numbers", "page"]
    wrong = []
    if "imports" in kinds:
        wrong += wrong_imports(targets, modules)
        wrong += undeclared_imports()
    if "circles" in kinds:
        wrong += wrong_circles(targets, modules)
    if "dead" in kinds:
        wrong += [f"{file.name()}:{line}: {kind} {name} is used nowhere"
                  for file, line, kind, name in dead_declarations(files)]
    if "numbers" in kinds:
        wrong += unbounded_numbers(files)
    if "page" in kinds:
        wrong += stale_figures(targets, modules)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
