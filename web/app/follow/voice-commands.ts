import { readCommand } from '#web/features/tutor/voice/read-command.ts'

/** What a learner whose hands are busy says to the page. */
export const FOLLOW_COMMANDS = ['next', 'back', 'repeat', 'slower', 'stop'] as const
export type FollowCommand = (typeof FOLLOW_COMMANDS)[number]

/** Words for each command by language; the first is listed on the page. */
const WORDS: Record<string, Record<FollowCommand, readonly [string, ...string[]]>> = {
  en: { next: ['next'], back: ['back'], repeat: ['repeat'], slower: ['slower'], stop: ['stop'] },
  de: {
    next: ['weiter', 'nächster', 'nächster schritt'],
    back: ['zurück'],
    repeat: ['wiederholen', 'nochmal', 'noch einmal'],
    slower: ['langsamer'],
    stop: ['stopp', 'stop', 'halt', 'pause'],
  },
  es: {
    next: ['siguiente', 'siguiente paso'],
    back: ['atrás', 'volver'],
    repeat: ['repetir', 'repite', 'otra vez'],
    slower: ['más despacio', 'más lento', 'despacio'],
    stop: ['parar', 'para', 'alto', 'pausa'],
  },
  fr: {
    next: ['suivant', 'étape suivante', 'suivante'],
    back: ['retour', 'précédent'],
    repeat: ['répéter', 'répète', 'encore une fois'],
    slower: ['plus lentement', 'moins vite'],
    stop: ['stop', 'arrête', 'pause'],
  },
  pt: {
    next: ['próximo', 'seguinte', 'próximo passo'],
    back: ['voltar', 'atrás'],
    repeat: ['repetir', 'repete', 'de novo'],
    slower: ['mais devagar', 'mais lento', 'devagar'],
    stop: ['parar', 'para', 'pausa'],
  },
  pl: {
    next: ['dalej', 'następny', 'następny krok'],
    back: ['wstecz', 'wróć', 'cofnij'],
    repeat: ['powtórz', 'jeszcze raz'],
    slower: ['wolniej'],
    stop: ['stop', 'zatrzymaj', 'pauza'],
  },
  tr: {
    next: ['ileri', 'sonraki', 'sonraki adım'],
    back: ['geri', 'önceki'],
    repeat: ['tekrar', 'tekrarla'],
    slower: ['daha yavaş', 'yavaş'],
    stop: ['dur', 'durdur'],
  },
  ar: {
    next: ['التالي'],
    back: ['رجوع', 'السابق'],
    repeat: ['كرر', 'أعد', 'مرة أخرى'],
    slower: ['أبطأ'],
    stop: ['توقف', 'قف'],
  },
  hi: {
    next: ['अगला', 'आगे'],
    back: ['पीछे', 'पिछला'],
    repeat: ['दोहराओ', 'फिर से'],
    slower: ['धीरे'],
    stop: ['रुको', 'रुकें'],
  },
  zh: {
    next: ['下一步'],
    back: ['上一步', '返回'],
    repeat: ['重复', '再来一次'],
    slower: ['慢一点'],
    stop: ['停止', '停', '暂停'],
  },
}

/** The language whose words are understood: the video's own where there are words for it, else English. BCP 47. */
export function commandLanguage(language: string | null): string {
  return language && baseOf(language) in WORDS ? language : 'en-US'
}

function baseOf(language: string): string {
  return language.toLowerCase().split('-', 1)[0] ?? ''
}

function wordsOf(language: string) {
  return WORDS[baseOf(language)] ?? (WORDS['en'] as (typeof WORDS)[string])
}

/** The word to say for each command. */
export function listWords(language: string): string[] {
  return FOLLOW_COMMANDS.map((command) => wordsOf(language)[command][0])
}

/** The command that a phrase is, said alone; null for all else that is said beside a machine. */
export function readFollowCommand(phrase: string, language: string): FollowCommand | null {
  const said = phrase
    .toLocaleLowerCase(language)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()
  const words = wordsOf(language)
  const named = FOLLOW_COMMANDS.find((command) => words[command].some((word) => word.normalize('NFC') === said))
  if (named !== undefined || baseOf(language) !== 'en') return named ?? null
  const command = readCommand(phrase)
  if (command === 'previous') return 'back'
  return FOLLOW_COMMANDS.find((each) => each === command) ?? null
}
