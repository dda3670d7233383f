"""Task 4: a log of six hours with one root cause, its errors some minutes later, and other noise."""
import random

START, HOURS, LINES = 0, 6, 60_000
DAY = "2026-03-12"
PRODUCTS = "lamp chair table mirror carpet shelf vase clock basket candle blanket cushion".split()
NOISE = [
    (30, "INFO ", "http", "GET /products/{product}-{id} 200 {ms} ms client=10.4.{b}.{c} session={hex}"),
    (14, "INFO ", "http", "GET /search?q={product}&page={page} 200 {ms} ms client=10.4.{b}.{c} session={hex}"),
    (8, "INFO ", "http", "POST /cart/{hex}/items 201 {ms} ms client=10.4.{b}.{c} sku={product}-{id}"),
    (10, "DEBUG", "cache", "hit key=product:{product}-{id} age={page}s size={ms} bytes shard={c}"),
    (5, "DEBUG", "cache", "miss key=product:{product}-{id} loaded in {ms} ms shard={c}"),
    (4, "INFO ", "orders", "order {order} placed items={page} total={ms}.{c} EUR session={hex}"),
    (3, "INFO ", "mail", "queued confirmation of order {order} to customer {id}"),
    (2, "INFO ", "http", "GET /images/{product}-{id}.webp 404 {page} ms client=10.4.{b}.{c}"),
    (1, "WARN ", "search", "slow query '{product}' took 1{ms} ms, index generation {page}"),
]
STACK = """com.example.shop.db.PoolTimeoutException: no connection of pool 'orders' became free within 5000 ms
    at com.example.shop.db.ConnectionPool.acquire(ConnectionPool.java:214)
    at com.example.shop.db.Session.open(Session.java:88)
    at com.example.shop.orders.{place}
    at com.example.shop.jobs.Worker.runOne(Worker.java:131)
    at com.example.shop.jobs.Worker.run(Worker.java:97)
    at java.base/java.lang.Thread.run(Thread.java:1583)"""
PLACES = [
    ("invoices", "could not write the invoice of order {order}", "InvoiceWriter.write(InvoiceWriter.java:176)"),
    ("orders", "could not confirm order {order}", "OrderService.confirm(OrderService.java:402)"),
    ("stock", "could not book the stock of order {order}", "StockLedger.book(StockLedger.java:59)"),
]
IMAGE = """java.io.EOFException: unexpected end of the file upload-{hex}.png
    at com.example.shop.images.PngReader.readChunk(PngReader.java:77)
    at com.example.shop.images.Thumbnails.make(Thumbnails.java:41)"""


def seconds(hour, minute, second=0):
    """Returns a time of the day in milliseconds."""
    return ((hour * 60 + minute) * 60 + second) * 1000


# The events that belong to the cause, or that look as if they did.
EVENTS = [
    ((1, 58, 40), "INFO ", "deploy", "release 2026.03.2 started on shop-web-1, shop-web-2 (by t.lind)"),
    ((2, 2, 15), "INFO ", "deploy", "release 2026.03.2 finished, 2 of 2 instances are healthy"),
    ((2, 31, 2), "WARN ", "disk", "/var/lib/search is 91 % full on shop-search-1"),
    ((2, 41, 17), "INFO ", "config", "reloaded /etc/shop/pools.toml: pool.orders.max 40 -> 4, pool.orders.wait "
                                      "5000 (change 5127 by m.okafor)"),
    ((2, 41, 17), "DEBUG", "pool", "pool 'orders' shrinks from 40 to 4 connections as they become free"),
    ((2, 47, 50), "INFO ", "disk", "/var/lib/search is 64 % full on shop-search-1 after the old index was removed"),
    ((2, 58, 11), "WARN ", "db", "replica db-2 is 3 s behind, reads go to db-1 until it has caught up"),
    ((2, 58, 44), "INFO ", "db", "replica db-2 has caught up"),
    ((3, 0, 0), "INFO ", "jobs", "nightly run 311 started: 1,240 invoices, 16 workers"),
    ((3, 0, 3), "WARN ", "pool", "pool 'orders': 4 of 4 connections are busy, 12 wait"),
    ((3, 17, 40), "INFO ", "config", "reloaded /etc/shop/pools.toml: pool.orders.max 4 -> 40, pool.orders.wait "
                                      "5000 (change 5128 by m.okafor)"),
    ((3, 17, 41), "DEBUG", "pool", "pool 'orders' may grow to 40 connections"),
    ((3, 18, 5), "INFO ", "pool", "pool 'orders': 16 of 40 connections are busy, 0 wait"),
    ((3, 41, 26), "INFO ", "jobs", "nightly run 311 finished: {good} invoices written, {bad} failed"),
]


def log(task):
    """Makes app.log and the question about it."""
    dice = random.Random(4)
    lines, counts = [], {"invoices": 0, "orders": 0, "stock": 0, "images": 0}
    used = 0

    def add(time, level, source, words):
        nonlocal used
        words = _filled(words, dice)
        hour, rest = divmod(time, 3_600_000)
        stamp = f"{DAY} {hour:02}:{rest // 60_000:02}:{rest // 1000 % 60:02},{rest % 1000:03}"
        lines.append((time, used, f"{stamp} {level} [{source}] {words}"))
        used += 1

    # The failures begin five seconds after the run, when the first wait has ended.
    time = seconds(3, 0, 5) + 112
    while time < seconds(3, 17, 40):
        source, words, place = dice.choices(PLACES, weights=(6, 3, 1))[0]
        add(time, "ERROR", source, words + "\n" + STACK.replace("{place}", place))
        counts[source] += 1
        if dice.random() < 0.35:
            busy = dice.randrange(8, 29)
            add(time + 40, "WARN ", "pool", f"pool 'orders': 4 of 4 connections are busy, {busy} wait")
        time += dice.randrange(900, 4_600)
    # Errors of another kind, all night: they have nothing to do with the question.
    for _ in range(37):
        add(dice.randrange(seconds(0, 1), seconds(5, 59)), "ERROR", "images", "no thumbnail was made\n" + IMAGE)
        counts["images"] += 1
    for (hour, minute, second), level, source, words in EVENTS:
        words = words.replace("{good}", f"{1240 - counts['invoices']:,}").replace("{bad}", str(counts["invoices"]))
        add(seconds(hour, minute, second) + 302, level, source, words)
    have = sum(text.count("\n") + 1 for _, _, text in lines)
    weights = [row[0] for row in NOISE]
    for _ in range(LINES - have):
        _, level, source, words = dice.choices(NOISE, weights=weights)[0]
        add(dice.randrange(HOURS * 3_600_000), level, source, words)
    lines.sort()
    content = "\n".join(text for _, _, text in lines) + "\n"
    task.write("app.log", content)
    at_three = sum(1 for _, _, text in lines if text[11:14] == "03:" and " ERROR " in text[:32])
    failed = counts["invoices"] + counts["orders"] + counts["stock"]
    rows = content.splitlines()
    cause = next(number for number, row in enumerate(rows, 1) if "40 -> 4," in row)
    first = next(number for number, row in enumerate(rows, 1) if "PoolTimeoutException" in row) - 1
    task.lines = ["Something went wrong at 03:00 last night. The log is app.log. What happened, what was the "
                  "cause, and how many things failed?"]
    task.truth = f"""
- app.log has {len(rows):,} lines and {len(content.encode()):,} bytes, from 00:00 to 06:00 on {DAY}.
- The cause stands in line {cause:,}: at 02:41:17 change 5127 by m.okafor reloaded /etc/shop/pools.toml, and the
  pool "orders" went from 40 to 4 connections. Nothing failed because of it for 18 minutes, because the night is
  quiet.
- At 03:00:00 the nightly run 311 started with 16 workers. From 03:00:05 (line {first:,}) to 03:17:40 they waited
  for connections for more than 5 seconds and failed: PoolTimeoutException, {failed} errors: {counts['invoices']} of
  invoices, {counts['orders']} of orders, {counts['stock']} of stock.
- At 03:17:40 change 5128 by m.okafor set the pool back to 40, and there was no further error of this kind. The run
  ended at 03:41:26: {1240 - counts['invoices']:,} invoices written, {counts['invoices']} failed.
- In the hour from 03:00 to 03:59 there are {at_three} lines with ERROR: {failed} of the pool, and the others of
  thumbnails.
- Not the cause: the release at 01:58, the disk at 02:31, the replica at 02:58 (all over before 03:00), and the 37
  errors of thumbnails, which are spread over the whole night.
- The log does not say why the change was made, and not whether the failed orders were repeated.
"""
    task.check("""
need_unchanged(given["files"])
text = answer()
need_words(text, ["pools?\\\\b", "\\\\b40\\\\b.{0,40}\\\\b4\\\\b|\\\\b4\\\\b.{0,40}\\\\b40\\\\b", "02:41|5127",
                  "PoolTimeout|connection", str(given["failed"])], "the answer")
""", files=task.digests(["app.log"]), failed=failed)


def _filled(words, dice):
    """Returns a line with values in place of its names."""
    if "{" not in words:
        return words
    return words.format(
        product=dice.choice(PRODUCTS), id=dice.randrange(1000, 9999), ms=dice.randrange(2, 480),
        b=dice.randrange(1, 255), c=dice.randrange(1, 99), hex=f"{dice.getrandbits(48):012x}",
        page=dice.randrange(1, 40), order=dice.randrange(700_000, 799_999))
