import { Button } from '#web/ui/button.tsx'

/** @see specification §9 */
export const QUICK_PROMPTS = ['Walk me through it', "What's the next step?"] as const

interface QuickPromptsProps {
  isOff: boolean
  onAsk: (question: string) => void
}

/** What people ask most, at one press. */
export function QuickPrompts({ isOff, onAsk }: QuickPromptsProps) {
  return (
    <div
      role="group"
      aria-label="Quick questions"
      className="flex gap-1.5 overflow-x-auto px-2 pt-0.5 pb-2 lg:flex-wrap lg:px-3 lg:pt-1 lg:pb-2.5"
    >
      {QUICK_PROMPTS.map((prompt) => (
        <Button
          key={prompt}
          variant="secondary"
          size="small"
          aria-disabled={isOff || undefined}
          onClick={() => !isOff && onAsk(prompt)}
          className="shrink-0 rounded-full!"
        >
          {prompt}
        </Button>
      ))}
    </div>
  )
}
