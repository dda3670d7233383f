"""Tests of names for programs and for people."""

import wordforms

from .rows import RowCase, each


class NameTests(RowCase):
    @each(
        ("device_type", "DeviceType"),
        ("device type", "DeviceType"),
        ("device-type", "DeviceType"),
        ("device__type", "DeviceType"),
        ("net/http_request", "Net.HttpRequest"),
        ("area51_controller", "Area51Controller"),
        ("alreadyCamel", "AlreadyCamel"),
        ("x", "X"),
        ("", ""),
    )
    def camelize(self, text, expected):
        self.assertEqual(wordforms.camelize(text), expected)

    @each(("device_type", "deviceType"), ("Device", "device"), ("x_y_z", "xYZ"), ("", ""))
    def camelize_small(self, text, expected):
        self.assertEqual(wordforms.camelize(text, upper=False), expected)

    @each(
        ("DeviceType", "device_type"),
        ("deviceType", "device_type"),
        ("parseHTMLPage", "parse_html_page"),
        ("HTMLPage", "html_page"),
        ("PageHTML", "page_html"),
        ("Area51Controller", "area51_controller"),
        ("some-name here", "some_name_here"),
        ("Net.HttpRequest", "net/http_request"),
        ("a", "a"),
        ("", ""),
    )
    def underscore(self, text, expected):
        self.assertEqual(wordforms.underscore(text), expected)

    @each(("maxRetryCount", "MAX_RETRY_COUNT"), ("2nd try", "_2ND_TRY"), ("HTML page", "HTML_PAGE"), ("", ""))
    def constant(self, text, expected):
        self.assertEqual(wordforms.constant(text), expected)

    @each(("device_type", "device-type"), ("a_b_c", "a-b-c"), ("plain", "plain"), ("", ""))
    def dasherize(self, text, expected):
        self.assertEqual(wordforms.dasherize(text), expected)

    @each(
        ("RawScaledScore", "raw_scaled_scores"),
        ("EggAndHam", "egg_and_hams"),
        ("FancyCategory", "fancy_categories"),
        ("OfficeEquipment", "office_equipment"),
        ("SalesPerson", "sales_people"),
    )
    def tableize(self, name, expected):
        self.assertEqual(wordforms.tableize(name), expected)

    @each(
        ("raw_scaled_scores", "RawScaledScore"),
        ("shop.orders", "Order"),
        ("fancy_categories", "FancyCategory"),
        ("people", "Person"),
        ("office_equipment", "OfficeEquipment"),
    )
    def classify(self, table, expected):
        self.assertEqual(wordforms.classify(table), expected)

    @each(("Message", "_", "message_id"), ("Message", "", "messageid"), ("shop.OrderLine", "_", "order_line_id"))
    def foreign_key(self, name, separator, expected):
        self.assertEqual(wordforms.foreign_key(name, separator), expected)

    @each(
        ("employee_salary", "Employee salary"),
        ("author_id", "Author"),
        ("underground", "Underground"),
        ("id_card", "Id card"),
        ("_lead", "Lead"),
        ("", ""),
    )
    def humanize(self, text, expected):
        self.assertEqual(wordforms.humanize(text), expected)

    @each(
        ("lord_of_the_rings", "Lord of the Rings"),
        ("readTheHtmlPage", "Read the HTML Page"),
        ("the_end", "The End"),
        ("what_for", "What For"),
        ("json_api", "JSON API"),
        ("TheManWithoutAPast", "The Man Without a Past"),
        ("", ""),
    )
    def titleize(self, text, expected):
        self.assertEqual(wordforms.titleize(text), expected)

    @each(("Ada Lovelace", "A. L."), ("Jean-Luc Moreau", "J. L. M."), ("plato", "P."), ("", ""))
    def initials(self, name, expected):
        self.assertEqual(wordforms.initials(name), expected)

    @each(
        ("Ærøskøbing", "AEroskobing"),
        ("Łódź", "Lodz"),
        ("Málaga", "Malaga"),
        ("Straße", "Strasse"),
        ("naïve café", "naive cafe"),
        ("plain", "plain"),
        ("日本", ""),
    )
    def transliterate(self, text, expected):
        self.assertEqual(wordforms.transliterate(text), expected)

    @each(
        ("Donna E. Müller", "-", "donna-e-muller"),
        ("1,000 bright ideas", "_", "1_000_bright_ideas"),
        ("  many   blanks  ", "-", "many-blanks"),
        ("It's here", "-", "its-here"),
        ("no separator", "", "noseparator"),
        ("-- ends --", "-", "ends"),
        ("", "-", ""),
    )
    def parameterize(self, text, separator, expected):
        self.assertEqual(wordforms.parameterize(text, separator), expected)
