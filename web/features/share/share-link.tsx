import clsx from 'clsx'
import { useId } from 'react'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Input } from '#web/ui/input.tsx'

/** The link to read and to copy. */
export function ShareLink({ link, isWorking }: { link: string; isWorking: boolean }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        Link
      </label>
      <div className="mt-1.5 flex gap-2">
        <Input
          id={id}
          readOnly
          value={link}
          aria-describedby={`${id}-note`}
          onFocus={(event) => event.target.select()}
          className={clsx('min-w-0 flex-1 font-mono', !isWorking && 'text-ink-faint line-through')}
        />
        {/* As wide as its longest label, so that nothing moves when it is pressed. */}
        <CopyButton text={link} variant="primary" className="min-w-27" />
      </div>
      <p id={`${id}-note`} className="mt-2 text-sm text-ink-soft">
        {isWorking
          ? 'Anyone with this link can watch. No login required.'
          : 'The link and the code lead nowhere while sharing is off.'}
      </p>
    </div>
  )
}
