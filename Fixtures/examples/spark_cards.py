#!/usr/bin/env python3
"""A card for each row of a table with Apache Spark.

mapInPandas gives each task an iterator of batches of rows; the task has a `fancytext batch` of its own, tells it the
template once, and sends a request for each row. Needs pyspark, pandas and pyarrow, and Java 17.

    spark_cards.py --rows 100000 --master 'local-cluster[2,1,1024]' --sample 5
"""

import argparse
import base64
import hashlib
import json
import os
import subprocess
import sys
import threading
import time

import pandas as pd
from pyspark.sql import SparkSession

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import rows  # noqa: E402

SCHEMA = "id long, png binary, error string"
OPTIONS = {"width": 1200, "height": 630, "format": "png", "no-system-fonts": True}


def cards(program: str, template: str, keeps_pictures: bool):
    """What mapInPandas calls in each task."""

    def render(batches):
        worker = subprocess.Popen([program, "batch", "--jobs", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        worker.stdin.write(json.dumps({"define": "card", "html": template}).encode() + b"\n")
        worker.stdin.flush()
        worker.stdout.readline()

        def send(batch):
            for row in batch.to_dict("records"):
                request = {"id": row["id"], "template": "card", "row": row, **OPTIONS}
                worker.stdin.write(json.dumps(request).encode() + b"\n")
            worker.stdin.flush()

        for batch in batches:
            # Pipes hold little: one thread writes while this one reads.
            writer = threading.Thread(target=send, args=(batch,))
            writer.start()
            results = [json.loads(worker.stdout.readline()) for _ in range(len(batch))]
            writer.join()
            pictures = [base64.b64decode(result["data"]) if "data" in result else None for result in results]
            if not keeps_pictures:
                pictures = [picture and hashlib.sha256(picture).digest() for picture in pictures]
            yield pd.DataFrame(
                {
                    "id": [result["id"] for result in results],
                    "png": pictures,
                    "error": [result.get("error") for result in results],
                }
            )
        worker.stdin.close()
        worker.wait()

    return render


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, default=1000)
    arguments.add_argument("--master", default="local[2]")
    arguments.add_argument("--program", default=os.environ.get("FANCYTEXT", "fancytext"))
    arguments.add_argument("--sample", type=int, default=5, help="rows that are rendered again, alone, and compared")
    given = arguments.parse_args()
    with open(os.path.join(HERE, "card.html"), encoding="utf-8") as file:
        template = file.read()
    program = os.path.abspath(given.program) if "/" in given.program else given.program

    # Where the workers' Python finds `rows`.
    os.environ["PYTHONPATH"] = HERE
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master(given.master)
        .appName("cards")
        .config("spark.ui.enabled", "false")
        .config("spark.executorEnv.PYTHONPATH", HERE)
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    fields = "id long, section string, title string, summary string, author string"

    def make_rows(batches):
        for batch in batches:
            yield pd.DataFrame([rows.row(int(number)) for number in batch["id"]])

    table = spark.range(given.rows, numPartitions=8).mapInPandas(make_rows, fields)
    start = time.monotonic()
    done = table.mapInPandas(cards(program, template, keeps_pictures=False), SCHEMA).toPandas()
    seconds = time.monotonic() - start
    failed = int(done["error"].notna().sum())

    digests = dict(zip(done["id"], done["png"]))
    step = max(1, given.rows // max(1, given.sample))
    differing = 0
    for number in list(range(0, given.rows, step))[: given.sample]:
        lines = "\n".join(list(rows.requests(0, template, OPTIONS)) + [
            json.dumps({"id": number, "template": "card", "row": rows.row(number), **OPTIONS})])
        output = subprocess.run([program, "batch", "--jobs", "1"], input=lines.encode(), stdout=subprocess.PIPE, check=True)
        alone = base64.b64decode(json.loads(output.stdout.splitlines()[1])["data"])
        differing += hashlib.sha256(alone).digest() != bytes(digests[number])
    spark.stop()
    print(f"{len(done)} rows, {failed} failed, {differing} of {given.sample} differ, {len(done) / seconds:.0f} a second")
    return 1 if failed or differing or len(done) != given.rows else 0


if __name__ == "__main__":
    sys.exit(main())
