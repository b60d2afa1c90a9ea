import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { LINK_ANSWERS_MAX } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import { embedPath, linkIdIn } from '#contract/share-page.ts'
import * as m from '#messages'
import { useChangeModule } from '#web/lib/change-module.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/form-controls.tsx'
import { StillLoading } from '#web/ui/loading.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { QrCode, QrDownloads } from './qr-code.tsx'
import { ShareLink } from './share-link.tsx'

export type SharedThing = Pick<
  Module,
  | 'id'
  | 'title'
  | 'shareUrl'
  | 'shared'
  | 'linkAnswersPerDay'
  | 'linkEndsAt'
  | 'hasLinkPassword'
  | 'takesReports'
  | 'publishedVersion'
  | 'status'
  | 'role'
  | 'organization'
>

const OWNERS = { active: m.you_and_people_of_your(), other: m.you_and_people_of_its() } as const

/** A sentence about the only ones who can open a module: of one owner, and of an organization. */
interface OwnersSentence {
  you: () => string
  people: (values: { people: string }) => string
}

/** Says who can open a module while it is not shared. Only members of an organization read of theirs. */
export function sayOwners({ organization }: Pick<SharedThing, 'organization'>, sentence: OwnersSentence): string {
  return organization === null ? sentence.you() : sentence.people({ people: OWNERS[organization] })
}

const ONLY_OWNERS_SOON: OwnersSentence = { you: m.only_you_can_open_it_soon, people: m.only_people_can_open_it_soon }
const OWNERS_WHILE_OFF: OwnersSentence = { you: m.while_it_is_off_only_you, people: m.while_it_is_off_only }

/** Shows an owner what to look at before sharing; `close` closes the dialog. */
export type RenderShareWarnings = (module: SharedThing, close: () => void) => ReactNode

interface ShareDialogProps {
  /** What is to be shared; null while the dialog is closed. */
  module: SharedThing | null
  renderWarnings?: RenderShareWarnings | undefined
  onClose: () => void
}

/** How a training is handed out: code, link, and who may use them. */
export function ShareDialog({ module, renderWarnings, onClose }: ShareDialogProps) {
  const last = useLast(module)
  return (
    <Dialog
      isOpen={module !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={m.share_this_training()}
      description={last?.title ?? ''}
    >
      {last && <ShareForm key={last.id} module={last} {...{ renderWarnings, onClose }} />}
    </Dialog>
  )
}

interface ShareFormProps extends Pick<ShareDialogProps, 'renderWarnings' | 'onClose'> {
  module: SharedThing
}

function ShareForm({ module, renderWarnings, onClose }: ShareFormProps) {
  const { isShared, setShared } = useShared(module)
  const code = useRef<SVGSVGElement>(null)
  const link = new URL(module.shareUrl, window.location.origin).href
  return (
    <div className="grid grid-cols-1 gap-5">
      {module.role === 'owner' && renderWarnings?.(module, onClose)}
      <div className="grid grid-cols-1 gap-3">
        <QrCode ref={code} link={link} isWorking={isShared} />
        <QrDownloads code={code} title={module.title} link={link} />
      </div>
      <ShareLink link={link} isWorking={isShared} note={isShared ? sayWho(module) : m.the_link_and_the_code()} />
      <ShareLink
        label={m.embed_code()}
        link={makeEmbedCode(module)}
        isWorking={isShared}
        note={isShared ? m.paste_it_into_a_page() : m.the_frame_says_that_there()}
      />
      {module.status === 'FAILED' && <p className="text-sm text-warn-ink">{m.there_is_nothing_to_watch()}</p>}
      {module.role === 'owner' && (
        <div className="grid gap-5 border-t border-line pt-5">
          <Switch
            label={m.anyone_with_link_can_view()}
            description={sayOwners(module, isShared ? OWNERS_WHILE_OFF : ONLY_OWNERS_SOON)}
            isOn={isShared}
            onChange={setShared}
          />
          {isShared && <LinkTutorSettings module={module} />}
          <ReportSettings module={module} />
          {isShared && (
            <OpenedPart title={m.link_settings()} what={m.link_settings_noun()}>
              <LinkSettings module={module} />
            </OpenedPart>
          )}
          <OpenedPart title={m.invited_people()} what={m.invited_people_noun()}>
            <InvitedPeople moduleId={module.id} />
          </OpenedPart>
          <OpenedPart title={m.languages()} what={m.languages_noun()}>
            <LanguageSettings moduleId={module.id} />
          </OpenedPart>
        </div>
      )}
    </div>
  )
}

const LanguageSettings = lazyPart(async () => (await import('./language-settings.tsx')).LanguageSettings)
const InvitedPeople = lazyPart(async () => (await import('./invited-people.tsx')).InvitedPeople)
const LinkSettings = lazyPart(async () => (await import('./link-settings.tsx')).LinkSettings)

interface OpenedPartProps {
  title: string
  what: string
  children: ReactNode
}

/** What its owner has to ask for: which languages there are, or what the link needs. */
function OpenedPart({ title, what, children }: OpenedPartProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="grid gap-4">
      <div>
        <Button variant="secondary" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {title}
          <ChevronDown aria-hidden="true" className={clsx('size-4 transition-transform', isOpen && 'rotate-180')} />
        </Button>
      </div>
      {isOpen && <Suspense fallback={<StillLoading what={what} />}>{children} </Suspense>}
    </div>
  )
}

/** As wide as its place; as high as the video with the current step and some of the list below it. */
const EMBED_STYLE = 'width:100%;aspect-ratio:10/9;min-height:480px;border:0'

/** The HTML that shows a training in a page of another site; the browser escapes the title. */
function makeEmbedCode({ shareUrl, title }: Pick<SharedThing, 'shareUrl' | 'title'>): string {
  // Of a document that is not shown, because browsers warn of two attributes that each allow the full screen.
  const frame = document.implementation.createHTMLDocument('').createElement('iframe')
  const attributes = {
    src: new URL(embedPath(linkIdIn(shareUrl)), window.location.origin).href,
    title,
    style: EMBED_STYLE,
    allow: 'fullscreen; picture-in-picture',
    allowfullscreen: '',
    loading: 'lazy',
  }
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
  return frame.outerHTML
}

/** On or off as it was last chosen here; what is handed in may be older. */
function useShared({ id, shared }: SharedThing) {
  const [chosen, setChosen] = useState<boolean | null>(null)
  const change = useChangeModule(id, { failure: m.failed_to_change_sharing() })
  function setShared(isShared: boolean) {
    setChosen(isShared)
    change.mutate({ shared: isShared }, { onError: () => setChosen(!isShared) })
  }
  return { isShared: chosen ?? shared, setShared }
}

/** Whether learners report from the steps, signed in or with the link. */
function ReportSettings({ module: { id, takesReports } }: { module: SharedThing }) {
  const [chosen, setChosen] = useState(takesReports)
  const change = useChangeModule(id, { failure: m.failed_to_change_who_can() })
  function choose(isOn: boolean) {
    setChosen(isOn)
    change.mutate({ takesReports: isOn }, { onError: () => setChosen(!isOn) })
  }
  return (
    <Switch
      label={m.learners_can_report()}
      description={chosen ? m.each_step_has_a_flag() : m.no_step_has_a_flag()}
      isOn={chosen}
      onChange={choose}
    />
  )
}

/** What an owner allows at first: some trainings' questions of a day, a few cents. */
const LINK_ANSWERS_DEFAULT = 20

/** Whether people with the link can ask the tutor, and how much a model may answer them. */
function LinkTutorSettings({ module: { id, linkAnswersPerDay } }: { module: SharedThing }) {
  const field = useId()
  // What is handed in may be older than what was last chosen here.
  const [chosen, setChosen] = useState(linkAnswersPerDay)
  const change = useChangeModule(id, { failure: m.failed_to_change_who_can() })
  function choose(next: number | null) {
    if (next === chosen) return
    setChosen(next)
    change.mutate({ linkAnswersPerDay: next }, { onError: () => setChosen(chosen) })
  }
  return (
    <div className="grid gap-3">
      <Switch
        label={m.people_with_the_link_can()}
        description={chosen === null ? m.only_people_who_sign_in() : m.no_sign_in_is_needed()}
        isOn={chosen !== null}
        onChange={(isOn) => choose(isOn ? LINK_ANSWERS_DEFAULT : null)}
      />
      {chosen !== null && (
        <div>
          <label htmlFor={field} className="text-sm font-medium">
            {m.answers_a_day_that_a()}
          </label>
          <p id={`${field}-hint`} className="mt-0.5 mb-1.5 text-sm text-ink-soft">
            {m.for_questions_that_quotes_from()}
          </p>
          <Input
            id={field}
            type="number"
            inputMode="numeric"
            min={0}
            max={LINK_ANSWERS_MAX}
            key={chosen}
            defaultValue={chosen}
            aria-describedby={`${field}-hint`}
            onBlur={({ target }) => {
              const isNumber = target.validity.valid && target.value !== ''
              if (isNumber) choose(Math.floor(target.valueAsNumber))
              else target.value = String(chosen)
            }}
            className="w-28!"
          />
        </div>
      )}
    </div>
  )
}

/** What was open stays drawn while the dialog closes. */
function useLast(module: SharedThing | null): SharedThing | null {
  const [last, setLast] = useState(module)
  if (module !== null && module !== last) setLast(module)
  return module ?? last
}

/** What the note of a working share link says. @see specification §2, share dialog */
export const NO_LOGIN_NOTE = m.anyone_with_this_link_can_watch()

/** Says who can open the link of a training. */
export function sayWho({ hasLinkPassword }: Pick<SharedThing, 'hasLinkPassword'>): string {
  return hasLinkPassword ? m.anyone_with_link_and_password() : NO_LOGIN_NOTE
}
