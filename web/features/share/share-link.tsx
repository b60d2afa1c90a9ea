import clsx from 'clsx'
import { type ReactNode, useId } from 'react'
import * as m from '#messages'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Textarea } from '#web/ui/form-controls.tsx'

interface ShareLinkProps {
  label?: string
  link: string
  isWorking: boolean
  /** Who can open it. */
  note: string
  /** What else can be done with it. */
  action?: ReactNode
}

/** A link, or another text that leads to the training, to read and to copy. The one without a label is the share link. */
export function ShareLink({ label, link, isWorking, note, action }: ShareLinkProps) {
  const id = useId()
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label ?? m.link()}
        </label>
        {action}
      </div>
      {/* On phones the button goes below: beside it, a link would have a dozen characters in a row. */}
      <div className="mt-1.5 flex items-start gap-2 max-sm:grid">
        {/* Shows the whole link, because links differ only at their ends. */}
        <Textarea
          id={id}
          readOnly
          // An address or HTML, also on a page that goes from right to left.
          dir="ltr"
          value={link}
          aria-describedby={`${id}-note`}
          onFocus={(event) => event.target.select()}
          className={clsx(
            'block min-h-10 min-w-0 flex-1 resize-none field-sizing-content font-mono text-xs! break-all',
            !isWorking && 'text-ink-faint line-through',
          )}
        />
        {/* As wide as its longest label, so that nothing moves when it is pressed. */}
        <CopyButton
          text={link}
          about={label}
          variant={isWorking && label === undefined ? 'primary' : 'secondary'}
          className="min-w-27"
        />
      </div>
      <p id={`${id}-note`} className="mt-2 text-sm text-ink-soft">
        {note}
      </p>
    </div>
  )
}
