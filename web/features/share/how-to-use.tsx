import { ListOrdered, MousePointerClick, Play } from 'lucide-react'
import { Card } from '#web/ui/card.tsx'

const HINTS = [
  { icon: Play, text: 'Press play and follow along. The step on screen is always marked.' },
  { icon: MousePointerClick, text: 'Tap a step to jump to that moment in the video.' },
  { icon: ListOrdered, text: 'Pause, do the step yourself, then go on to the next one.' },
] as const

export function HowToUse() {
  return (
    <Card className="p-5">
      <section aria-labelledby="how-to-use">
        <h2 id="how-to-use" className="font-semibold">
          How to Use
        </h2>
        <ul className="mt-3 grid gap-3 text-sm text-ink-soft">
          {HINTS.map(({ icon: Icon, text }) => (
            <li key={text} className="flex gap-3">
              <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-brand" />
              {text}
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}
