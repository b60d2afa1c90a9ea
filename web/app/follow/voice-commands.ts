import { findLanguage, type InterfaceLanguage, regionalTagOf } from '#contract/languages.ts'

/** What a learner whose hands are busy says to the page, in the order in which the page lists it. */
export const FOLLOW_COMMANDS = ['next', 'back', 'repeat', 'slower', 'report', 'stop'] as const
export type FollowCommand = (typeof FOLLOW_COMMANDS)[number]

type Phrases = Readonly<Record<FollowCommand, readonly [string, ...string[]]>>

/** Said alone: a longer phrase is what people say to each other beside a machine. Pages list the first of a command. */
const PHRASES: Readonly<Record<InterfaceLanguage, Phrases>> = {
  en: {
    next: ['next', 'next step', 'go to the next step', 'go to next step', 'skip', 'skip this step', 'skip step'],
    back: [
      'back',
      'previous',
      'previous step',
      'last step',
      'step back',
      'go back',
      'go back a step',
      'back one step',
      'go to the previous step',
      'go to previous step',
    ],
    repeat: [
      'repeat',
      'repeat that',
      'repeat this',
      'repeat step',
      'repeat the step',
      'repeat this step',
      'again',
      'once more',
      'one more time',
      'play that again',
      'play it again',
    ],
    slower: ['slower', 'slow down', 'go slower', 'play slower', 'a bit slower'],
    report: ['report', 'report this', 'report a problem', 'report this step', 'report the step'],
    stop: [
      'stop',
      'pause',
      'stop it',
      'stop the video',
      'pause the video',
      'stop video',
      'pause video',
      'be quiet',
      'quiet',
    ],
  },
  de: {
    next: ['weiter', 'nächster', 'nächster schritt'],
    back: ['zurück'],
    repeat: ['wiederholen', 'nochmal', 'noch einmal'],
    slower: ['langsamer'],
    report: ['melden', 'problem melden', 'schritt melden'],
    stop: ['stopp', 'stop', 'halt', 'pause'],
  },
  es: {
    next: ['siguiente', 'siguiente paso'],
    back: ['atrás', 'volver'],
    repeat: ['repetir', 'repite', 'otra vez'],
    slower: ['más despacio', 'más lento', 'despacio'],
    report: ['informar', 'avisar', 'informar de un problema'],
    stop: ['parar', 'para', 'alto', 'pausa'],
  },
  fr: {
    next: ['suivant', 'étape suivante', 'suivante'],
    back: ['retour', 'précédent'],
    repeat: ['répéter', 'répète', 'encore une fois'],
    slower: ['plus lentement', 'moins vite'],
    report: ['signaler', 'signaler un problème'],
    stop: ['stop', 'arrête', 'pause'],
  },
  pt: {
    next: ['próximo', 'seguinte', 'próximo passo'],
    back: ['voltar', 'atrás'],
    repeat: ['repetir', 'repete', 'de novo'],
    slower: ['mais devagar', 'mais lento', 'devagar'],
    report: ['avisar', 'reportar', 'avisar de um problema'],
    stop: ['parar', 'para', 'pausa'],
  },
  pl: {
    next: ['dalej', 'następny', 'następny krok'],
    back: ['wstecz', 'wróć', 'cofnij'],
    repeat: ['powtórz', 'jeszcze raz'],
    slower: ['wolniej'],
    report: ['zgłoś', 'zgłoś problem'],
    stop: ['stop', 'zatrzymaj', 'pauza'],
  },
  tr: {
    next: ['ileri', 'sonraki', 'sonraki adım'],
    back: ['geri', 'önceki'],
    repeat: ['tekrar', 'tekrarla'],
    slower: ['daha yavaş', 'yavaş'],
    report: ['bildir', 'sorun bildir'],
    stop: ['dur', 'durdur'],
  },
  ar: {
    next: ['التالي'],
    back: ['رجوع', 'السابق'],
    repeat: ['كرر', 'كرّر', 'أعد', 'مرة أخرى'],
    slower: ['أبطأ'],
    report: ['إبلاغ', 'أبلغ', 'بلغ'],
    stop: ['توقف', 'قف'],
  },
  hi: {
    next: ['अगला', 'आगे'],
    back: ['पीछे', 'पिछला'],
    repeat: ['दोहराओ', 'फिर से'],
    slower: ['धीरे'],
    report: ['सूचना दें', 'रिपोर्ट', 'रिपोर्ट करें'],
    stop: ['रुको', 'रुकें'],
  },
  zh: {
    next: ['下一步'],
    back: ['上一步', '返回'],
    repeat: ['重复', '再来一次'],
    slower: ['慢一点'],
    report: ['报告', '报告问题'],
    stop: ['停止', '停', '暂停'],
  },
}

const PHRASES_BY_TAG: Partial<Record<string, Phrases>> = PHRASES

/** The phrases of a language; null where there are none. @param language BCP 47 */
function findPhrases(language: string): Phrases | null {
  return PHRASES_BY_TAG[findLanguage(language) ?? ''] ?? null
}

/** The language whose words are understood: the video's own where there are words for it, else English. BCP 47. */
export function commandLanguage(language: string | null): string {
  return regionalTagOf(language !== null && findPhrases(language) !== null ? language : 'en')
}

/** The word to say for each command; those that a page does not have are left out. @param language of `commandLanguage` */
export function listWords(language: string, has: { report: boolean }): string[] {
  const phrases = findPhrases(language) ?? PHRASES.en
  return FOLLOW_COMMANDS.filter((command) => command !== 'report' || has.report).map((command) => phrases[command][0])
}

/** The longest command with some politeness around it. */
const COMMAND_MAX_CHARS = 80
/** Said beside a command without changing it. */
const POLITE = /^(?:(?:ok|okay|please|now|hey) )+|(?: (?:please|now|thanks|thank you))+$/g

/**
 * The command that a phrase is; null for all else.
 * @param language of the person who speaks, BCP 47
 */
export function readFollowCommand(phrase: string, language: string): FollowCommand | null {
  if (phrase.length > COMMAND_MAX_CHARS) return null
  const words = phrase
    .toLocaleLowerCase(language)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}?？؟]+/gu, ' ')
    .trim()
    .replace(POLITE, '')
  const phrases = findPhrases(language) ?? PHRASES.en
  return FOLLOW_COMMANDS.find((command) => phrases[command].some((each) => each.normalize('NFC') === words)) ?? null
}
