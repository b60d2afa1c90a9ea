import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import * as m from '#messages'
import { Button, type ButtonLook } from './button.tsx'

/** How long the button says what it did. @see specification §9 */
const COPIED_LABEL_MS = 2_000

interface CopyButtonProps extends ButtonLook {
  text: string
  /** What is copied, where several such buttons are on one page; for screen readers. */
  about?: string | undefined
}

/** Puts a text on the clipboard and says `Copied!` for two seconds. */
export function CopyButton({ text, about, ...look }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), COPIED_LABEL_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      // A page without https, or a browser setting, forbids it; the text beside the button can still be selected.
      setOutcome('refused')
    }
  }

  const Icon = outcome === 'copied' ? Check : Copy
  const says = { idle: m.copy(), copied: m.copied(), refused: m.copy_failed() }[outcome]
  return (
    <Button variant="secondary" {...look} onClick={copy}>
      <Icon aria-hidden="true" className="size-4" />
      <span aria-live="polite">{says}</span>
      {about !== undefined && outcome === 'idle' && <span className="sr-only">: {about}</span>}
    </Button>
  )
}
