import clsx from 'clsx'
import { Languages } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { INTERFACE_LANGUAGES, LANGUAGES } from '#contract/languages.ts'
import * as m from '#messages'

/** The language of the app: the browser's own list behind one icon. */
export function LanguageButton({ className }: { className?: string }) {
  return (
    <span
      title={m.language_of_app()}
      className={clsx(
        'relative size-10 shrink-0 place-items-center rounded-control text-ink-soft transition-colors hover:bg-sunken',
        'outline-offset-2 outline-brand hover:text-ink has-focus-visible:outline-2',
        className ?? 'grid',
      )}
    >
      <Languages aria-hidden="true" className="size-4.5" />
      <LanguageChoice
        aria-label={m.language_of_app()}
        className="absolute inset-0 cursor-pointer appearance-none opacity-0"
      />
    </span>
  )
}

/** The same with its name beside it, for menus. */
export function LanguageField() {
  const id = useId()
  return (
    <p className="flex min-h-10 items-center justify-between gap-4 px-3 text-sm font-medium text-ink-soft">
      <label htmlFor={id}>{m.language_of_app()}</label>
      <LanguageChoice id={id} className="h-9 rounded-control border border-line-strong bg-surface px-2 text-ink" />
    </p>
  )
}

/** Each language is a build of its own: the server keeps the choice and answers with its page (worker/routes/site.ts). */
function LanguageChoice(props: ComponentProps<'select'>) {
  function choose(tag: string) {
    const url = new URL(window.location.href)
    url.searchParams.set('lang', tag)
    window.location.assign(url)
  }
  return (
    <select {...props} value={m.language_tag()} onChange={(event) => choose(event.target.value)}>
      {INTERFACE_LANGUAGES.map((tag) => (
        <option key={tag} value={tag} lang={tag} className="bg-raised text-ink">
          {LANGUAGES[tag]}
        </option>
      ))}
    </select>
  )
}
