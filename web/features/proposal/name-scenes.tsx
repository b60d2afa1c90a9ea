import { Check, Film, Play, X } from 'lucide-react'
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { imageNameOf, imageUrl, nameInVideo } from '#contract/image-url.ts'
import type { Proposal, Step } from '#contract/step.ts'
import { validateAddedStep } from '#contract/step-editing.ts'
import * as m from '#messages'
import { formatTime, speakTime } from '#web/lib/format/format-time.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge, Card } from '#web/ui/card.tsx'
import { Input } from '#web/ui/form-controls.tsx'

interface NameScenesProps {
  /** What has no name yet. */
  scenes: readonly Proposal[]
  /** What has one: a step keeps the id of its scene. */
  steps: readonly Step[]
  posterUrl: string | null
  drafts: SceneDrafts
  onPlay: (scene: Proposal) => void
  onReject: (scene: Proposal) => void
  /** Makes steps of all scenes that have a title, in one go. */
  onTakeAll: () => Promise<void>
}

export type SceneDrafts = ReturnType<typeof useSceneDrafts>

/** The titles that are being written, by scene. @param onName saves one; resolves to whether it is saved */
export function useSceneDrafts(onName: (scene: Proposal, title: string) => Promise<boolean>) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const [saving, setSaving] = useState<readonly string[]>([])
  const running = useRef(new Map<string, Promise<boolean>>())
  const write = (id: string, text: string) => setTexts((before) => new Map(before).set(id, text))

  async function post(scene: Proposal): Promise<boolean> {
    const title = show(scene).trim()
    if (title === '' || findProblem(scene, title) !== undefined) return false
    setSaving((before) => [...before, scene.id])
    const isSaved = await onName(scene, title)
    if (isSaved) write(scene.id, '')
    setSaving((before) => before.filter((id) => id !== scene.id))
    return isSaved
  }
  /** @returns whether it stays; otherwise what was written is kept */
  function save(scene: Proposal): Promise<boolean> {
    const saved = running.current.get(scene.id) ?? post(scene).finally(() => running.current.delete(scene.id))
    running.current.set(scene.id, saved)
    return saved
  }
  /** What a person has written. */
  const read = (id: string) => texts.get(id) ?? ''
  /** What stands in the field: what was written, or else what the screen suggests. */
  const show = ({ id, suggestedTitle = '' }: Proposal) => texts.get(id) ?? suggestedTitle
  return { read, show, write, save, isSaving: (id: string) => saving.includes(id) }
}

/** Scenes whose title can be saved as it stands, with that title. */
export function listTitled(scenes: readonly Proposal[], drafts: Pick<SceneDrafts, 'show'>): Proposal[] {
  return scenes
    .map((scene) => ({ ...scene, title: drafts.show(scene).trim() }))
    .filter((scene) => scene.title !== '' && findProblem(scene, scene.title) === undefined)
}

/** What is wrong with the title of a scene; undefined while it can be saved. */
function findProblem({ description, start, end, aliases }: Proposal, title: string): string | undefined {
  return validateAddedStep({ title, description, start, end, aliases }).title
}

/** The scenes of a video without speech, each to be named or left out. One that has a name keeps its place. */
export function NameScenes(props: NameScenesProps) {
  const { scenes, steps } = props
  const rows = useRows(scenes, steps)
  const list = useRef<HTMLOListElement>(null)
  const openCount = rows.filter(({ named }) => named === undefined).length
  const heading = useFocusWhenFewer(openCount)
  const id = useId()
  return (
    <Card className="@container p-4 sm:p-5">
      <section aria-labelledby={id}>
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 ref={heading} id={id} tabIndex={-1} className="font-semibold">
            {m.scenes()}
          </h3>
          <p role="status" className="text-sm text-ink-soft tabular-nums">
            {rows.length === 0
              ? m.no_scene_is_left_to()
              : m.length_of_length2_named({ length: rows.length - openCount, length2: rows.length })}
          </p>
        </div>
        {rows.some(({ scene, named }) => named === undefined && scene.suggestedTitle !== undefined) && (
          <TakeAll onTakeAll={props.onTakeAll} />
        )}
        <ol ref={list} className="mt-3 grid grid-cols-1 gap-3 empty:hidden">
          {rows.map(({ scene, isSeen, named }) => (
            <li key={scene.id} className="flex flex-wrap gap-x-4 gap-y-3 rounded-control border border-line p-3">
              <SceneImage scene={scene} posterUrl={props.posterUrl} onPlay={() => props.onPlay(scene)} />
              <div className="min-w-0 flex-1 basis-56">
                <SceneState {...{ scene, isSeen, named }} />
                {named === undefined && <SceneForm {...props} scene={scene} list={list} />}
              </div>
            </li>
          ))}
        </ol>
      </section>
    </Card>
  )
}

function TakeAll({ onTakeAll }: Pick<NameScenesProps, 'onTakeAll'>) {
  const [isBusy, setIsBusy] = useState(false)
  async function take() {
    setIsBusy(true)
    await onTakeAll().finally(() => setIsBusy(false))
  }
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-56 text-sm text-ink-soft">{m.titles_come_from_the_screen()}</p>
      <Button size="small" isBusy={isBusy} onClick={() => void take()}>
        <Check aria-hidden="true" className="size-4" />
        {m.take_all()}
      </Button>
    </div>
  )
}

interface SceneRow {
  scene: Proposal
  /** Whether it was found; a step that was added by hand was not. */
  isSeen: boolean
  /** Undefined while it has no name. */
  named: Step | undefined
}

/** What was offered since the screen is open, without what was left out since, and all other steps. */
function useRows(scenes: readonly Proposal[], steps: readonly Step[]): SceneRow[] {
  const [seen, setSeen] = useState(scenes)
  const fresh = scenes.filter(({ id }) => !seen.some((scene) => scene.id === id))
  if (fresh.length > 0) setSeen([...seen, ...fresh].toSorted((a, b) => a.start - b.start))
  const offered = seen
    .map((scene) => ({ scene, isSeen: true, named: steps.find(({ id }) => id === scene.id) }))
    .filter(({ scene, named }) => named !== undefined || scenes.some(({ id }) => id === scene.id))
  const others = steps.filter(({ id }) => !seen.some((scene) => scene.id === id))
  const added = others.map((step) => ({ scene: { ...step, replaces: [] }, isSeen: false, named: step }))
  return [...offered, ...added].toSorted((a, b) => a.scene.start - b.scene.start)
}

interface SceneImageProps extends Pick<NameScenesProps, 'posterUrl'> {
  scene: Proposal
  onPlay: () => void
}

/** What is seen in a scene, which plays when it is pressed. */
function SceneImage({ scene, posterUrl, onPlay }: SceneImageProps) {
  const [isMissing, setIsMissing] = useState(false)
  return (
    <button
      type="button"
      aria-label={m.play_the_scene_at_start({ start: speakTime(scene.start) })}
      onClick={onPlay}
      className="group relative grid aspect-video w-36 shrink-0 place-items-center overflow-hidden rounded-control bg-sunken"
    >
      <Film aria-hidden="true" className="size-6 text-ink-faint" />
      {!isMissing && posterUrl !== null && (
        <img
          src={imageUrl(posterUrl, nameInVideo(imageNameOf(scene.start * 1000), scene.videoMark))}
          alt=""
          loading="lazy"
          onError={() => setIsMissing(true)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
      <span className="absolute end-1 bottom-1 grid size-6 place-items-center rounded-full bg-surface text-ink opacity-90 group-hover:opacity-100">
        <Play aria-hidden="true" className="size-3 fill-current" />
      </span>
    </button>
  )
}

function SceneState({ scene, isSeen, named }: SceneRow) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span className="rounded-chip bg-sunken px-1.5 text-xs leading-5 text-ink-soft tabular-nums">
        <span aria-hidden="true">
          {formatTime(scene.start)}–{formatTime(scene.end)}
        </span>
        <span className="sr-only">
          {m.from_start_to_end({ start: speakTime(scene.start), end: speakTime(scene.end) })}
        </span>
      </span>
      {isSeen && <Badge>{m.seen_not_said()}</Badge>}
      {named !== undefined && (
        <span className="flex min-w-0 basis-full items-start gap-1.5 font-medium wrap-anywhere">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-brand" />
          {named.title}
        </span>
      )}
    </p>
  )
}

interface SceneFormProps extends NameScenesProps {
  scene: Proposal
  list: RefObject<HTMLOListElement | null>
}

function SceneForm({ scene, drafts, onReject, list }: SceneFormProps) {
  const id = useId()
  const text = drafts.show(scene)
  const [isChecked, setIsChecked] = useState(false)
  const title = text.trim()
  const problem = title !== '' || isChecked ? findProblem(scene, title) : undefined
  const startTime = speakTime(scene.start)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (findProblem(scene, title) !== undefined) {
      // The field says what is wrong with it when it gets the focus.
      event.currentTarget.querySelector('input')?.focus()
      return setIsChecked(true)
    }
    // The next one can be written while this one is saved.
    focusNext(list.current, id)
    void drafts.save(scene)
  }
  return (
    <form noValidate onSubmit={submit} className="mt-2">
      <Input
        id={id}
        value={text}
        aria-label={m.title_of_the_scene_at({ at: startTime })}
        placeholder={m.what_is_done_here()}
        autoComplete="off"
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={`${id}-problem`}
        // What the screen suggests gives way to what is typed.
        onFocus={({ target }) => drafts.read(scene.id) === '' && target.select()}
        onChange={({ target }) => drafts.write(scene.id, target.value)}
      />
      <p id={`${id}-problem`} role="status" className="mt-1.5 text-sm font-medium text-danger-ink empty:hidden">
        {problem}
      </p>
      <SceneActions at={startTime} isSaving={drafts.isSaving(scene.id)} onReject={() => onReject(scene)} />
    </form>
  )
}

interface SceneActionsProps {
  /** When the scene begins, for screen readers. */
  at: string
  isSaving: boolean
  onReject: () => void
}

function SceneActions({ at: startTime, isSaving, onReject }: SceneActionsProps) {
  return (
    <div className="mt-2 flex flex-wrap justify-end gap-2">
      <Button variant="ghost" size="small" aria-label={m.leave_out_the_scene_at({ at: startTime })} onClick={onReject}>
        <X aria-hidden="true" className="size-4" />
        {m.leave_out()}
      </Button>
      <Button
        type="submit"
        variant="secondary"
        size="small"
        isBusy={isSaving}
        aria-label={m.save_the_title_of_the({ at: startTime })}
      >
        {m.save()}
      </Button>
    </div>
  )
}

/** The field after this one; from the last, the first that is left. */
function focusNext(list: HTMLElement | null, id: string): void {
  const fields = [...(list?.querySelectorAll('input') ?? [])]
  const index = fields.findIndex((field) => field.id === id)
  const next = fields[index + 1] ?? fields.find((field) => field.id !== id)
  next?.focus()
}
