"""Tests of plurals and singulars."""

import wordforms

from .rows import RowCase, each

PAIRS = tuple(
    tuple(pair.split("/"))
    for pair in """
    apple/apples axis/axes analysis/analyses alias/aliases alumnus/alumni appendix/appendices basis/bases box/boxes
    bacterium/bacteria branch/branches buffalo/buffaloes bus/buses bush/bushes cactus/cacti calf/calves
    campus/campuses case/cases cat/cats child/children church/churches city/cities crisis/crises criterion/criteria
    database/databases datum/data day/days diagnosis/diagnoses dish/dishes dog/dogs
    echo/echoes elf/elves fireman/firemen fix/fixes foot/feet fox/foxes fungus/fungi gas/gases genus/genera
    german/germans goose/geese half/halves hero/heroes house/houses human/humans hypothesis/hypotheses index/indices
    key/keys kiss/kisses knife/knives leaf/leaves lens/lenses life/lives loaf/loaves louse/lice man/men
    matrix/matrices medium/media memorandum/memoranda mosquito/mosquitoes mouse/mice move/moves movie/movies
    news/news nucleus/nuclei oasis/oases octopus/octopi office/offices ox/oxen parenthesis/parentheses page/pages
    passerby/passersby person/people phenomenon/phenomena photo/photos pie/pies potato/potatoes price/prices
    purchase/purchases query/queries quiz/quizzes radius/radii roman/romans salesman/salesmen scarf/scarves
    search/searches self/selves sex/sexes shaman/shamans shelf/shelves shoe/shoes slice/slices
    spy/spies stadium/stadia status/statuses stimulus/stimuli switch/switches synopsis/synopses testis/testes
    thesis/theses thief/thieves tie/ties toe/toes tomato/tomatoes tooth/teeth torpedo/torpedoes toy/toys
    vertex/vertices virus/viruses volcano/volcanoes watch/watches wife/wives wish/wishes
    wolf/wolves woman/women zombie/zombies
    """.split()
)

ONE_FORM = tuple(
    (text,)
    for text in (
        "advice|aircraft|deer|equipment|fish|furniture|information|jeans|luggage|money|police|rice|series|sheep|"
        "software|species|weather|fried rice|user_information|OfficeEquipment|black-tailed deer|SHEEP|Pocket Money|"
        "brown rice|tv_series"
    ).split("|")
)


class PluralTests(RowCase):
    @each(*PAIRS)
    def pluralize(self, singular, plural):
        self.assertEqual(wordforms.pluralize(singular), plural)

    @each(*PAIRS)
    def singularize(self, singular, plural):
        self.assertEqual(wordforms.singularize(plural), singular)

    @each(*ONE_FORM)
    def one_form(self, text):
        self.assertEqual(wordforms.pluralize(text), text)
        self.assertEqual(wordforms.singularize(text), text)

    @each(
        ("City", "Cities"),
        ("CITY", "CITIES"),
        ("Mouse", "Mice"),
        ("fire engine", "fire engines"),
        ("sales_person", "sales_people"),
        ("SalesPerson", "SalesPeople"),
        ("wood-louse", "wood-lice"),
        ("", ""),
    )
    def compound(self, singular, plural):
        self.assertEqual(wordforms.pluralize(singular), plural)
        self.assertEqual(wordforms.singularize(plural), singular)

    @each(("boxes", True), ("box", False), ("sheep", True), ("people", True), ("child", False), ("", False))
    def is_plural(self, word, expected):
        self.assertEqual(wordforms.is_plural(word), expected)

    @each(("boxes", False), ("box", True), ("sheep", True), ("people", False), ("child", True), ("", False))
    def is_singular(self, word, expected):
        self.assertEqual(wordforms.is_singular(word), expected)

    @each(
        (0, "box", "no boxes"),
        (1, "box", "1 box"),
        (-1, "degree", "-1 degree"),
        (2, "box", "2 boxes"),
        (12, "mouse", "12 mice"),
        (3, "sheep", "3 sheep"),
    )
    def count(self, number, noun, expected):
        self.assertEqual(wordforms.count(number, noun), expected)
