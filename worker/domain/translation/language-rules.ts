import { scoreLanguages } from '#worker/domain/language/find-language.ts'

/** What a check has to know of a language. */
export interface LanguageRules {
  /** Mark between the digits of a thousand, and the one before decimals. */
  thousands: '.' | ','
  /** Words for the numbers from 2 to 12. Words that also mean something else are left out. */
  numbers: Readonly<Record<string, number>>
  /** Phrases with a word of negation that negate nothing, such as "sin embargo". */
  idioms: RegExp
  /** Words that negate by themselves. */
  negators: RegExp
  /** Words that negate only where nothing before them in their clause does. */
  companions: RegExp
  /** Begins a new clause, in which a companion negates again. */
  clause: RegExp
  /** Words that another language may express by a negation: as many more are no fault. */
  soft: RegExp
}

/** A pattern of whole words; \b knows no accents. */
function words(list: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${list})(?![\p{L}\p{N}])`, 'giu')
}

function numbersFrom(list: string): Record<string, number> {
  const numbers = list
    .split(' ')
    .flatMap((spelled, index) => spelled.split('/').map((word) => [word, index + 2] as const))
  return Object.fromEntries(numbers.filter(([word]) => word !== '-'))
}

const NOTHING = /(?!)/gu

/** The languages between which translations are checked, by primary tag. */
export const RULES: Readonly<Record<string, LanguageRules>> = {
  en: {
    thousands: ',',
    numbers: numbersFrom('two three four five six seven eight nine ten eleven twelve'),
    idioms: /\bno\.? ?\d+|\bnot only\b|\bwhether or not\b|\bor not\b|\bno matter\b|\bnothing but\b/giu,
    negators: words(
      String.raw`not|cannot|never|no|none|nothing|nobody|nowhere|neither|without|no one|(?:is|are|was|were|do|does|did|ca|wo|would|should|could|must|need|has|have|had)n['’]t`,
    ),
    companions: NOTHING,
    clause: /[.;:!?]/u,
    soft: words(
      String.raw`avoid\w*|prevent\w*|fail\w*|refus\w*|unless|except|only|until|before|hardly|barely|lack\w*|missing|un(?:able|used|known|plugged|locked|changed|damaged|available|touched)|disconnected|impossible|invalid|instead|keep (?:\w+ )?away|nor|any\w*|otherwise|stop`,
    ),
  },
  es: {
    thousands: '.',
    numbers: numbersFrom('dos tres cuatro cinco seis siete ocho nueve diez once doce'),
    idioms:
      /\bno obstante\b|\bsin embargo\b|\bno s[oó]lo\b|\bhasta que no\b|\ba no ser que\b|\bno importa\b|\bo no\b|\bcómo no\b|\bsin duda\b/giu,
    negators: words('no|sin'),
    companions: words('nunca|jamás|nada|nadie|ning[uú]n|ningun[oa]s?|tampoco|ni'),
    clause: /[.;:!?,]|(?<!\p{L})(?:y|pero|porque|cuando|hasta que|antes de|antes que|mientras)(?!\p{L})/iu,
    soft: words(
      String.raw`evit\p{L}*|impid\p{L}*|impedi\p{L}*|salvo|excepto|solo|sólo|apenas|falta\p{L}*|imposible|incapaz|desconectad\p{L}*|inválid\p{L}*|desconocid\p{L}*|menos que|contrario|aléj\p{L}*|deje de`,
    ),
  },
  de: {
    thousands: '.',
    numbers: numbersFrom('zwei drei vier fünf sechs sieben - neun zehn elf zwölf'),
    idioms: /\bnicht nur\b|\boder nicht\b|\bohne weiteres\b/giu,
    negators: words(String.raw`nicht|kein(?:e[nmrs]?)?|nie|niemals|nichts|niemand\p{L}*|nirgends|weder|ohne`),
    companions: NOTHING,
    clause: /[.;:!?,]/u,
    soft: words(
      String.raw`vermeid\p{L}*|verhinder\p{L}*|außer|nur|erst|kaum|fehl\p{L}*|unmöglich|ungültig\p{L}*|unbekannt\p{L}*|getrennt\p{L}*|unbeschädigt\p{L}*|unverändert|sonst|statt|fern\p{L}*|noch`,
    ),
  },
  fr: {
    thousands: '.',
    // "neuf" is "new" as well, "six" and "dix" are themselves.
    numbers: numbersFrom('deux trois quatre cinq six sept huit - dix onze douze'),
    idioms: /\bnon seulement\b|\bpas seulement\b|\bou (?:non|pas)\b|\bsans doute\b|\bn['’]importe\b/giu,
    negators: words('sans|non'),
    companions: words('pas|jamais|rien|aucune?s?|nulle? part|personne ne|ni|ne (?:plus|personne)'),
    clause: /[.;:!?,]|(?<!\p{L})(?:et|mais|car|quand|lorsque|avant que|avant de|jusqu)(?!\p{L})/iu,
    soft: words(
      String.raw`évit\p{L}*|empêch\p{L}*|sauf|seulement|uniquement|ne?(?![^.;:!?,]*(?<!\p{L})(?:pas|jamais|rien|aucun\p{L}*|ni)(?!\p{L}))|plus|à peine|manqu\p{L}*|impossible|incapable|débranch\p{L}*|inconnu\p{L}*|invalide|sinon|éloign\p{L}*|personne`,
    ),
  },
  pt: {
    thousands: '.',
    numbers: numbersFrom('dois/duas três quatro cinco seis sete oito nove dez onze doze'),
    idioms: /\bnão obstante\b|\bnão só\b|\bnão apenas\b|\ba não ser que\b|\bou não\b|\bsem dúvida\b|\bnão importa\b/giu,
    negators: words('não|sem'),
    companions: words(String.raw`nunca|jamais|nada|ninguém|nenhum(?:as?|ns)?|nenhuma|nem|tampouco`),
    clause: /[.;:!?,]|(?<!\p{L})(?:e|mas|porque|quando|até que|antes de|antes que|enquanto)(?!\p{L})/iu,
    soft: words(
      String.raw`evit\p{L}*|imped\p{L}*|salvo|exceto|só|somente|apenas|falta\p{L}*|impossível|incapaz|desconectad\p{L}*|desligad\p{L}*|inválid\p{L}*|desconhecid\p{L}*|menos que|contrário|afast\p{L}*`,
    ),
  },
}

/** Words of a language that a text has at least, for it to be that. */
const WORDS_MIN = 3

/** Guesses the language of a text among those with rules; null where too little speaks for one. */
export function guessLanguage(text: string): string | null {
  const scores = scoreLanguages(text)
  const found = Object.keys(RULES).map((tag) => ({ tag, score: scores.get(tag) ?? 0 }))
  const [best, next] = found.toSorted((a, b) => b.score - a.score)
  return best !== undefined && best.score >= WORDS_MIN && best.score > (next?.score ?? 0) ? best.tag : null
}

/** How units are written, by the one that all of them are compared as. What stands behind a number is looked up here. */
const UNITS: Readonly<Record<string, string>> = {
  mm: 'mm|mil+[ií]met(?:er|re|ro)s?|millimètres?|milímetros?',
  cm: 'cm|centimet(?:er|re)s?|centímetros?|zentimeter|centimètres?',
  km: 'km|kilomet(?:er|re)s?|kilómetros?|quilômetros?|kilomètres?',
  m: 'm|met(?:er|re)s?|metros?|mètres?',
  in: 'in|inch(?:es)?|pulgadas?|zoll|pouces?|polegadas?',
  ft: 'ft|feet|foot|pies?|fuß|pieds?|pés?',
  kg: 'kg|kilos?|kilogram(?:me)?s?|kilogramos?|quilogramas?|kilogramm',
  mg: 'mg|milligram(?:me)?s?|miligramos?|miligramas?|milligramm',
  g: 'g|gram(?:me)?s?|gramos?|gramas?|gramm',
  lb: 'lbs?|pounds?|libras?|pfund|livres?',
  ml: 'ml|millilit(?:er|re)s?|mililitros?|millilitres?|milliliter',
  l: 'l|lit(?:er|re)s?|litros?',
  kv: 'kv|kilovolts?|kilovoltios?',
  v: 'v|volts?|voltios?|volt',
  ma: 'ma|milliamps?|miliamperios?|miliamperes?',
  a: 'a|amps?|amperes?|amperios?|ampères?',
  kw: 'kw|kilowatts?|kilovatios?|quilowatts?',
  w: 'w|watts?|vatios?',
  hz: 'hz|hertz',
  c: '°c|degrees? celsius|grados? celsius|grad celsius|degrés? celsius|graus? celsius',
  f: '°f|degrees? fahrenheit|grados? fahrenheit|grad fahrenheit|degrés? fahrenheit|graus? fahrenheit',
  bar: 'bars?|bares',
  psi: 'psi',
  nm: 'nm|newton[ -]?met(?:er|re)s?|newton[ -]?metros?|newtonmeter|newtons?[ -]?mètres?',
  s: 's|secs?|seconds?|segundos?|sekunden?|secondes?',
  min: 'mins?|minutes?|minutos?|minuten?',
  h: 'h|hrs?|hours?|horas?|stunden?|heures?',
  days: 'days?|días?|tage?n?|jours?|dias?',
  pct: '%|percent|per cent|por ciento|prozent|pour cent|por cento',
  kb: 'kb|kilobytes?',
  mb: 'mb|megabytes?',
  gb: 'gb|gigabytes?|go',
  eur: '€|euros?',
  usd: String.raw`\$|dollars?|dólares`,
}

const UNIT_AFTER = new RegExp(
  String.raw`^[\s\u00a0\u202f-]?(?:${Object.entries(UNITS)
    .map(([unit, spelled]) => `(?<${unit}>${spelled})`)
    .join('|')})(?![\p{L}\p{N}])`,
  'iu',
)

/** Reads the unit with which a text begins that stands behind a number; null where there is none. */
export function readUnit(behind: string): string | null {
  const groups = UNIT_AFTER.exec(behind)?.groups ?? {}
  return Object.keys(groups).find((unit) => groups[unit] !== undefined) ?? null
}

/** Names of keys in the languages with rules, by the English one. */
const KEYS: Readonly<Record<string, string>> = {
  ctrl: 'ctrl|control|strg|steuerung',
  alt: 'alt',
  shift: 'shift|mayús|mayúsculas|umschalt|maj',
  cmd: 'cmd|command|comando|befehl|⌘',
  option: 'option|opción|wahl|opção',
  win: 'win|windows',
  enter: 'enter|return|intro|eingabe|entrée|retorno',
  esc: 'esc|escape|échap',
  tab: 'tab',
  delete: 'del|delete|supr|suprimir|entf|suppr|excluir',
}
const KEY_NAMES = new Map(
  Object.entries(KEYS).flatMap(([key, names]) => names.split('|').map((name) => [name, key] as const)),
)

/** The same name for a key in all languages. */
export function nameKey(key: string): string {
  return KEY_NAMES.get(key.toLowerCase()) ?? key.toLowerCase()
}

/** Matches a combination of keys, such as Ctrl+S, and a function key. */
export const KEY_COMBINATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${[...KEY_NAMES.keys()].join('|')})(?:\s?\+\s?[\p{L}\p{N}]+)+|F(?:1[0-2]|[1-9]))(?![\p{L}\p{N}])`,
  'giu',
)
