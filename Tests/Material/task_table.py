"""Task 5: a table of orders in Latin-1 with faults of several kinds."""
import datetime
import hashlib
import random

NAMES = ("Müller GmbH|Jäger & Söhne|Bäckerei Weiß|Café Noël|Groß Möbel|Schäfer KG|Hôtel du Lac|Brøndum A/S|"
         "Peña y Hijos|Lindström AB|Fußpflege Kühn|Gärtnerei Öhler").split("|")
GOODS = "Stühle|Tische|Lampen|Körbe|Spiegel|Schränke|Teppiche|Gläser".split("|")


def _money(cents, dots):
    """Returns an amount as it is written in German. `dots`: whether thousands have a dot."""
    sign, cents = ("-" if cents < 0 else ""), abs(cents)
    whole = f"{cents // 100:,}".replace(",", "." if dots else "")
    return f"{sign}{whole},{cents % 100:02}"


def table(task):
    """Makes orders.csv."""
    dice = random.Random(5)
    orders = []
    for number in range(640):
        day = datetime.date(2025, 1, 1) + datetime.timedelta(days=dice.randrange(365))
        cents = dice.choice([dice.randrange(990, 99_000), dice.randrange(100_000, 900_000)])
        is_return = dice.random() < 0.06
        orders.append((20_000 + number * 3, day, dice.choice(NAMES), dice.choice(GOODS),
                       -cents if is_return else cents, "Retoure" if is_return else "Kauf"))
    # Two orders that are alike but for their numbers: they are no duplicates.
    twin = orders[100]
    orders.append((twin[0] + 1, *twin[1:]))
    rows = [_row(order, dice, blanks=False) for order in orders]
    copies = [_row(order, dice, blanks=dice.random() < 0.5) for order in dice.sample(orders, 34)]
    dice.shuffle(rows)
    for row in copies:
        rows.insert(dice.randrange(len(rows)), row)
    head = "Nr;Datum;Kunde;Ware;Betrag;Art"
    task.write("orders.csv", ("\r\n".join([head, *rows]) + "\r\n").encode("latin-1"))
    sums = {}
    for _, day, _, _, cents, _ in orders:
        sums[f"{day:%Y-%m}"] = sums.get(f"{day:%Y-%m}", 0) + cents
    months = {month: f"{cents / 100:.2f}" for month, cents in sorted(sums.items())}
    total = sum(sums.values())
    returns = [order for order in orders if order[5] == "Retoure"]
    task.lines = ["Clean orders.csv: write clean.csv in UTF-8 with commas, the same columns, dates like "
                  "2025-03-31, amounts like 1234.50, and no order twice. Then write the sums by month to sums.csv "
                  "with the columns month,sum (2025-01 and so on), and tell me the sum of the year."]
    task.answers = ["Do returns (Retoure, negative amounts) count? Yes, they are subtracted."]
    listed = "\n".join(f"  {month} {value}" for month, value in months.items())
    task.truth = f"""
- orders.csv is in Latin-1, with semicolons and CRLF: {len(rows)} rows below the head, {len(orders)} orders.
- {len(copies)} rows are duplicates: the same number, and the same content in perhaps another form of the date, with
  or without the dot of thousands, or with blanks around cells.
- Two orders ({twin[0]} and {twin[0] + 1}) are alike but for their numbers. Both stay.
- Dates have the forms 31.03.2025 and 2025-03-31. Amounts have a decimal comma and sometimes dots of thousands.
- {len(returns)} orders are returns with negative amounts. They count in the sums.
- The sum of the year is {total / 100:.2f}. The sums of the months:

{listed}
"""
    task.check("""
need_unchanged(given["files"])
text = read("clean.csv")
need("�" not in text and not re.search("Ã.", text), "clean.csv is not in UTF-8, or was decoded wrongly")
rows = list(csv.reader(text.lstrip("\\ufeff").splitlines()))
found = sorted("|".join(cell.strip() for cell in row) for row in rows[1:])
need(len(found) == given["count"], f"clean.csv has {len(found)} orders, not {given['count']}")
need(hashlib.sha256("\\n".join(found).encode()).hexdigest() == given["digest"], "rows of clean.csv are wrong")
sums = {row[0]: row[1] for row in csv.reader(read("sums.csv").splitlines()) if len(row) == 2 and row[0][:2] == "20"}
need({month: f"{float(value):.2f}" for month, value in sums.items()} == given["months"], "sums.csv is wrong")
""", files=task.digests(["orders.csv"]), months=months,
        count=len(orders), digest=_digest(orders))


def _digest(orders):
    """Returns the SHA-256 of the clean rows, sorted as texts."""
    rows = sorted(f"{number}|{day}|{name}|{goods}|{cents / 100:.2f}|{kind}"
                  for number, day, name, goods, cents, kind in orders)
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def _row(order, dice, blanks):
    """Returns an order as a row, with one of the forms of dates and amounts."""
    number, day, name, goods, cents, kind = order
    date = day.isoformat() if dice.random() < 0.4 else f"{day:%d.%m.%Y}"
    cells = [str(number), date, name, goods, _money(cents, dice.random() < 0.5), kind]
    if blanks:
        cells = [f" {cell} " if dice.random() < 0.4 else cell for cell in cells]
    return ";".join(cells)
