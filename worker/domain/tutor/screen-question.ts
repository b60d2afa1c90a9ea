import { findLexicon } from '#worker/domain/step/extractive/lexicon.ts'
import { wordSet } from '#worker/domain/step/extractive/word-lists.ts'
import { languageOfQuestion } from './question-language.ts'
import { listSubjectWords } from './read-question.ts'
import { findWords, stemTerm } from './words/words.ts'

/** Lists the stems of the words of a text. */
export function stemsOf(text: string): ReadonlySet<string> {
  return new Set(findWords(text).map(stemTerm))
}

/** Words by which people ask for what is typed, and "exactly", in the ten languages. */
const TYPING =
  /(?<!\p{L})(?:(?<!(?:what|which) )(?:type|types|typed|typing)(?! of)|enter|entered|commands?|exactly|tippe\p{L}*|eingeb\p{L}*|eingegeben|gebe|befehl\p{L}*|genau|tape[rz]|je tape|saisi\p{L}*|commande\p{L}*|exactement|escrib\p{L}*|tecle\p{L}*|comando\p{L}*|exactamente|digit(?:o|ar|e|amos)|escrev\p{L}*|exatamente|wpis\p{L}*|poleceni\p{L}*|komend\p{L}*|dokładnie|yaz\p{L}+|komut\p{L}*)(?!\p{L})|टाइप|कमांड|लिख|اكتب|أكتب|الأمر|输入|键入|命令/giu
const ONLY_EXACTLY = /^(?:exactly|genau|exactement|exactamente|exatamente|dokładnie)$/iu

/** Words by which other languages than English ask and point, which say nothing of what is meant. */
const ASKING =
  wordSet(`was wo wie welche welchen welcher welches ich hier ein qué cuál cómo dónde aquí que quoi quel quelle
quels quelles comment où ici je o qual quais como onde aqui eu co jak jaka jaką jaki jakie gdzie tu tutaj ne hangi nasıl
nerede burada buraya क्या कौन सा सी यहाँ यहां मैं मुझे है हूँ करूँ करना ماذا ما هنا أين أي 什 么 我 这 里 该 要 在 哪 个 条 到 底 是`)

/** Words by which people point at the screen, at its controls and at what a command printed; they say nothing of what is meant. */
const POINTING =
  /(?<!\p{L})(?:outputs?|print(?:s|ed)?|terminal|screen|display(?:s|ed)?|according to|list(?:ing)?|answers?|choose|select(?:ed)?|ausgab\p{L}*|bildschirm\p{L}*|sortie|écran|salida|pantalla|saída|tela|ekran\p{L}*|çıktı\p{L}*|wynik\p{L}*)(?!\p{L})/giu
const OUTPUT =
  /(?<!\p{L})(?:outputs?|print(?:s|ed)?|answers?|ausgab\p{L}*|gibt .* aus|sortie|affiche|salida|imprime|saída|çıktı\p{L}*|wynik\p{L}*|wypisuje)(?!\p{L})/iu

/** Whether a question asks for what a command printed. */
export function asksForOutput(question: string): boolean {
  return OUTPUT.test(question)
}

/** Whether a question asks for what is typed, which is on the screen as nobody says it. */
export function asksWhatToType(question: string): boolean {
  if (asksForOutput(question)) return false
  return (question.match(TYPING) ?? []).some((word) => !ONLY_EXACTLY.test(word))
}

/** The stems of what a question is about, without the words by which it asks. */
export function readSubject(question: string): string[] {
  const rest = question.replace(TYPING, ' ').replace(POINTING, ' ')
  const lexicon = findLexicon(languageOfQuestion(question), question)
  const words = listSubjectWords(rest).filter((word) => lexicon?.glosses.has(word) !== true && !ASKING.has(word))
  return [...new Set(words.map(stemTerm))]
}
