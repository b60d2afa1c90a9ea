import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { QUESTION_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { formatCount } from '#web/lib/format/format-number.ts'

interface QuestionFieldProps extends Pick<ComponentProps<'textarea'>, 'ref' | 'disabled' | 'onFocus'> {
  /** Of the field; what is said under it has this id with `-hint`. */
  id: string
  text: string
  onWrite: (text: string) => void
  /** What can be pressed beside it. */
  children: ReactNode
}

/** Where a question is written: Enter sends the form, Shift+Enter begins a new line. */
export function QuestionField({ id, text, onWrite, children, ...field }: QuestionFieldProps) {
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {m.your_question()}
      </label>
      <div className="flex items-end gap-0.5 rounded-control border border-line-strong bg-surface p-0.5 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-offset-2 has-[textarea:focus-visible]:outline-brand hover:border-ink-soft">
        <textarea
          {...field}
          id={id}
          rows={1}
          value={text}
          placeholder={m.ask_about_this_video()}
          enterKeyHint="send"
          autoComplete="off"
          aria-invalid={describeExcess(text) !== '' || undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onWrite(event.target.value)}
          onKeyDown={sendOnEnter}
          className="field-sizing-content max-h-32 min-h-10 min-w-0 flex-1 resize-none bg-transparent px-2.5 py-2 text-base text-ink outline-none placeholder:text-ink-faint disabled:opacity-55 sm:text-sm sm:leading-6"
        />
        {children}
      </div>
    </>
  )
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  // 229: Safari ends a composition before it reports the key that ended it.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return
  if (event.key !== 'Enter' || event.shiftKey) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

/** How much too long a question is; empty when it can be sent. */
export function describeExcess({ length }: string): string {
  return length > QUESTION_MAX_CHARS ? m.characters_too_many({ count: formatCount(length - QUESTION_MAX_CHARS) }) : ''
}
