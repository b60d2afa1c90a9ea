import { Eye, EyeOff, Pencil, Terminal } from 'lucide-react'
import { type RefObject, useMemo, useState } from 'react'
import { Done } from '#contract/module.ts'
import { SCREEN_TEXT_MAX, type ScreenAnswer, type ScreenBlock, type ScreenCorrection } from '#contract/screen.ts'
import * as m from '#messages'
import { matchCorrections } from '#screen/apply-corrections.ts'
import { useApi } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { Input, TitleEditor } from '#web/ui/form-controls.tsx'
import { screenPath } from './screen-path.ts'

/** A text as it was read, with what an owner made of it. */
interface ScreenLine {
  block: ScreenBlock
  correction: ScreenCorrection | undefined
  /** As it counts. */
  text: string
  isCommand: boolean
}

interface ScreenLinesProps extends Pick<ScreenAnswer, 'corrections'> {
  moduleId: string
  blocks: readonly ScreenBlock[]
  onSeek: (seconds: number) => void
}

const SHOWN_AT_ONCE = 50

/** The texts of a screen beside the video, each to be corrected, hidden, or marked as a command. */
export function ScreenLines({ moduleId, blocks, corrections, onSeek }: ScreenLinesProps) {
  const [words, setWords] = useState('')
  const [shownCount, setShownCount] = useState(SHOWN_AT_ONCE)
  const save = useSaveCorrection(moduleId)
  const lines = useMemo(() => listLines(blocks, corrections), [blocks, corrections])
  const wanted = words.trim().toLowerCase()
  const found = wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted))
  return (
    <div className="grid w-full grid-cols-1 gap-3">
      <Input
        type="search"
        aria-label={m.search_the_screen()}
        placeholder={m.search_the_screen()}
        autoComplete="off"
        value={words}
        onChange={({ target }) => {
          setWords(target.value)
          setShownCount(SHOWN_AT_ONCE)
        }}
      />
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {found.length === 0 ? m.not_found() : null}
      </p>
      <ul className="grid max-h-96 grid-cols-1 gap-1 overflow-y-auto empty:hidden">
        {found.slice(0, shownCount).map((line) => (
          <LineRow key={`${line.block.startMs} ${line.block.text}`} {...{ line, onSeek, save }} />
        ))}
      </ul>
      {found.length > shownCount && (
        <Button
          variant="secondary"
          size="small"
          className="justify-self-start"
          onClick={() => setShownCount(shownCount + SHOWN_AT_ONCE)}
        >
          {m.show_more_lines()}
        </Button>
      )}
      <p className="text-sm text-ink-soft">{m.hidden_text_note()}</p>
    </div>
  )
}

function listLines(blocks: readonly ScreenBlock[], corrections: readonly ScreenCorrection[]): ScreenLine[] {
  const matched = matchCorrections(blocks, corrections)
  return blocks
    .map((block, index) => {
      const correction = matched[index]
      const isCommand = (correction?.kind ?? block.kind) === 'command'
      return { block, correction, text: correction?.text ?? block.text, isCommand }
    })
    .toSorted((left, right) => left.block.startMs - right.block.startMs)
}

type Change = Partial<Pick<ScreenCorrection, 'text' | 'kind' | 'isHidden'>>

interface LineRowProps extends Pick<ScreenLinesProps, 'onSeek'> {
  line: ScreenLine
  save: (correction: ScreenCorrection) => void
}

function LineRow({ line, onSeek, save }: LineRowProps) {
  const { block, correction, text, isCommand } = line
  const [isEditing, setIsEditing] = useState(false)
  const pencil = useFocusWhenFewer<HTMLButtonElement>(isEditing ? 1 : 0, { preventScroll: true })
  const isHidden = correction?.isHidden === true
  const time = formatTime(block.startMs / 1_000)
  const change = (next: Change) => {
    const { startMs, endMs } = block
    const before = correction ?? { readText: block.text, startMs, endMs, text: null, kind: null, isHidden: false }
    save({ ...before, ...next })
  }
  if (isEditing) {
    return (
      <li className="py-1">
        <TitleEditor
          value={text}
          label={m.what_the_screen_says()}
          maxChars={SCREEN_TEXT_MAX}
          onSave={(next) => {
            setIsEditing(false)
            change({ text: next === (correction?.readText ?? block.text) ? null : next })
          }}
          onCancel={() => setIsEditing(false)}
        />
      </li>
    )
  }
  return (
    <li className="flex flex-wrap items-center gap-x-2 rounded-control hover:bg-sunken">
      <button
        type="button"
        aria-label={m.play_from_time_title({ time, title: text })}
        onClick={() => onSeek(block.startMs / 1_000)}
        className="flex min-h-8 min-w-0 flex-1 basis-48 gap-3 rounded-control px-2 py-1 text-start text-sm"
      >
        <span className="w-12 shrink-0 text-brand-ink tabular-nums">{time}</span>
        <span
          dir="auto"
          className={`min-w-0 wrap-anywhere ${isCommand ? 'font-mono' : ''} ${isHidden ? 'text-ink-faint line-through' : ''}`}
        >
          {text}
        </span>
      </button>
      <LineActions {...{ line, pencil, change }} onEdit={() => setIsEditing(true)} />
    </li>
  )
}

interface LineActionsProps {
  line: ScreenLine
  pencil: RefObject<HTMLButtonElement | null>
  change: (next: Change) => void
  onEdit: () => void
}

function LineActions({ line: { block, correction, text, isCommand }, pencil, change, onEdit }: LineActionsProps) {
  const isHidden = correction?.isHidden === true
  const Icon = isHidden ? EyeOff : Eye
  const icon = { variant: 'ghost', size: 'icon' } as const
  const pressed = 'aria-pressed:bg-brand-soft aria-pressed:text-brand-ink'
  return (
    <span className="ms-auto flex">
      <Button
        {...icon}
        aria-label={m.the_text_is_a_command({ text })}
        title={m.text_is_a_command()}
        aria-pressed={isCommand}
        onClick={() => change({ kind: toggleCommand(block, isCommand) })}
        className={pressed}
      >
        <Terminal aria-hidden="true" className="size-4" />
      </Button>
      <Button {...icon} ref={pencil} aria-label={m.correct_the_text({ text })} title={m.correct()} onClick={onEdit}>
        <Pencil aria-hidden="true" className="size-4" />
      </Button>
      <Button
        {...icon}
        aria-label={m.hide_the_text({ text })}
        title={m.hide_text()}
        aria-pressed={isHidden}
        onClick={() => change({ isHidden: !isHidden })}
        className={pressed}
      >
        <Icon aria-hidden="true" className="size-4" />
      </Button>
    </span>
  )
}

function toggleCommand({ kind }: ScreenBlock, isCommand: boolean): ScreenCorrection['kind'] {
  if (kind === 'command') return isCommand ? 'other' : null
  return isCommand ? null : 'command'
}

function isSameText(one: ScreenCorrection, other: ScreenCorrection): boolean {
  return one.startMs === other.startMs && one.readText === other.readText
}

/** Shows a correction at once, and takes it back where the server refuses it. */
function useSaveCorrection(moduleId: string) {
  const callApi = useApi()
  const queryKey = ['screen', moduleId]
  const { mutate } = useOptimisticMutation({
    // One after the other, or two quick changes of a text could arrive the other way round.
    scope: { id: `correct-screen-${moduleId}` },
    mutationFn: (correction: ScreenCorrection) =>
      callApi({ path: `${screenPath(moduleId)}/corrections`, method: 'PUT', body: correction, schema: Done }),
    edits: (correction) => [
      makeEdit<ScreenAnswer>(queryKey, (answer) => ({
        ...answer,
        corrections: [correction, ...answer.corrections.filter((each) => !isSameText(each, correction))],
      })),
    ],
    stale: () => [queryKey],
    failure: m.failed_to_change_the_text(),
  })
  return mutate
}
