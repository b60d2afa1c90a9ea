import { findLanguage, type InterfaceLanguage } from '#contract/languages.ts'

/** What a learner with both hands busy asks of the video. */
export type VideoCommand = 'next' | 'previous' | 'repeat' | 'slower' | 'faster' | 'stop'
/** `send`: sends the question that was dictated before. */
export type VoiceCommand = VideoCommand | 'send'

type Phrases = Readonly<Record<VoiceCommand, readonly [string, ...string[]]>>

/**
 * Said alone and as it stands. Anything longer is a question, since people ask for the next step in whole sentences. Pages
 * list the first phrase of a command.
 */
const PHRASES: Readonly<Record<InterfaceLanguage, Phrases>> = {
  en: {
    next: ['next', 'next step', 'go to the next step', 'go to next step', 'skip', 'skip this step', 'skip step'],
    previous: [
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
    faster: ['faster', 'speed up', 'go faster', 'play faster', 'a bit faster'],
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
    send: ['send', 'send it', 'send that', 'ask it', 'send question', 'send the question'],
  },
  de: {
    next: ['weiter', 'nächster', 'nächster schritt'],
    previous: ['zurück'],
    repeat: ['wiederholen', 'nochmal', 'noch einmal'],
    slower: ['langsamer'],
    faster: ['schneller'],
    stop: ['stopp', 'stop', 'halt', 'pause'],
    send: ['senden', 'abschicken', 'absenden', 'frage senden', 'frage abschicken'],
  },
  es: {
    next: ['siguiente', 'siguiente paso'],
    previous: ['atrás', 'volver'],
    repeat: ['repetir', 'repite', 'otra vez'],
    slower: ['más despacio', 'más lento', 'despacio'],
    faster: ['más deprisa', 'más rápido', 'rápido'],
    stop: ['parar', 'para', 'alto', 'pausa'],
    send: ['enviar', 'envía', 'envíalo', 'enviar pregunta', 'envía la pregunta'],
  },
  fr: {
    next: ['suivant', 'étape suivante', 'suivante'],
    previous: ['retour', 'précédent'],
    repeat: ['répéter', 'répète', 'encore une fois'],
    slower: ['plus lentement', 'moins vite'],
    faster: ['plus vite', 'accélère'],
    stop: ['stop', 'arrête', 'pause'],
    send: ['envoyer', 'envoie', 'envoyez', 'envoyer la question', 'envoie la question'],
  },
  pt: {
    next: ['próximo', 'seguinte', 'próximo passo'],
    previous: ['voltar', 'atrás'],
    repeat: ['repetir', 'repete', 'de novo'],
    slower: ['mais devagar', 'mais lento', 'devagar'],
    faster: ['mais depressa', 'mais rápido'],
    stop: ['parar', 'para', 'pausa'],
    send: ['enviar', 'envia', 'enviar pergunta', 'envia a pergunta'],
  },
  pl: {
    next: ['dalej', 'następny', 'następny krok'],
    previous: ['wstecz', 'wróć', 'cofnij'],
    repeat: ['powtórz', 'jeszcze raz'],
    slower: ['wolniej'],
    faster: ['szybciej'],
    stop: ['stop', 'zatrzymaj', 'pauza'],
    send: ['wyślij', 'wyślij pytanie'],
  },
  tr: {
    next: ['ileri', 'sonraki', 'sonraki adım'],
    previous: ['geri', 'önceki'],
    repeat: ['tekrar', 'tekrarla'],
    slower: ['daha yavaş', 'yavaş'],
    faster: ['daha hızlı', 'hızlı'],
    stop: ['dur', 'durdur'],
    send: ['gönder', 'soruyu gönder'],
  },
  ar: {
    next: ['التالي'],
    previous: ['رجوع', 'السابق'],
    repeat: ['كرر', 'كرّر', 'أعد', 'مرة أخرى'],
    slower: ['أبطأ'],
    faster: ['أسرع'],
    stop: ['توقف', 'قف'],
    send: ['أرسل', 'إرسال', 'أرسل السؤال'],
  },
  hi: {
    next: ['अगला', 'आगे'],
    previous: ['पीछे', 'पिछला'],
    repeat: ['दोहराओ', 'फिर से'],
    slower: ['धीरे'],
    faster: ['तेज़', 'तेज'],
    stop: ['रुको', 'रुकें'],
    send: ['भेजो', 'भेजें', 'सवाल भेजो', 'प्रश्न भेजें'],
  },
  zh: {
    next: ['下一步'],
    previous: ['上一步', '返回'],
    repeat: ['重复', '再来一次'],
    slower: ['慢一点'],
    faster: ['快一点'],
    stop: ['停止', '停', '暂停'],
    send: ['发送', '发送问题'],
  },
}

/** Whether there are commands in a language. @param language BCP 47 */
export function hasCommands(language: string): boolean {
  return (findLanguage(language) ?? '') in PHRASES
}

/** The phrases of a language; those of English where there are none. */
export function phrasesOf(language: string): Phrases {
  const phrases: Partial<Record<string, Phrases>> = PHRASES
  return phrases[findLanguage(language) ?? 'en'] ?? PHRASES.en
}

/** The longest command with some politeness around it. */
const COMMAND_MAX_CHARS = 80
/** Said beside a command without changing it. */
const POLITE = /^(?:(?:ok|okay|please|now|hey) )+|(?: (?:please|now|thanks|thank you))+$/g

/**
 * The command that a phrase is; null for everything else, which is a question.
 * @param language of the person who speaks, BCP 47
 */
export function readCommand(phrase: string, language: string): VoiceCommand | null {
  if (phrase.length > COMMAND_MAX_CHARS) return null
  const words = phrase
    .toLocaleLowerCase(language)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}?？؟]+/gu, ' ')
    .trim()
    .replace(POLITE, '')
  const commands = Object.entries(phrasesOf(language)) as [VoiceCommand, readonly string[]][]
  return commands.find(([, phrases]) => phrases.some((each) => each.normalize('NFC') === words))?.[0] ?? null
}
