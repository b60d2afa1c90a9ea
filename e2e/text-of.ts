import type { InterfaceLanguage } from '#contract/languages.ts'
import { listMessages } from '../web/build/messages.ts'

/** A text of the app in a language, with its values in it. */
export function textOf(tag: InterfaceLanguage, key: string, values: Record<string, string> = {}): string {
  const message = listMessages(tag).find((each) => each.key === key)
  if (message === undefined) throw new Error(`${tag}.json has no ${key}`)
  return message.text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
