import { PencilLine, ScrollText, Search } from 'lucide-react'
import { type ComponentProps, type Ref, type UIEventHandler, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { formatCount } from '#web/lib/format/format-number.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { CorrectionMode } from './correction-mode.tsx'
import { CorrectionNotices } from './correction-notices.tsx'
import type { Cutting } from './leave-out.tsx'
import { SpeakerName } from './line-navigation.tsx'
import { ScreenRepair } from './screen-repair.tsx'
import { TranscriptMenu } from './transcript-files.tsx'
import { type RenderOtherMatches, TranscriptReader, type TranscriptVideo } from './transcript-reader.tsx'
import { type Corrections, type Corrector, useCorrections } from './use-corrections.ts'

interface TranscriptBoxProps {
  /** The whole transcript; undefined while it loads. */
  text: string | undefined
  /** The same with times, where they could be loaded. */
  segments: readonly TranscriptSegment[]
  /** Set where the segments could not be loaded. */
  failure?: Pick<ComponentProps<typeof LoadFailure>, 'isBusy' | 'onRetry'> | undefined
  /** Whether more is still being transcribed. */
  isGrowing: boolean
  /** For owners, who may correct the transcript. */
  corrector?: Corrector | undefined
  /** The video that says it, where there is one. */
  video?: TranscriptVideo | undefined
  /** For owners, who may leave out lines. */
  cutting?: Cutting | undefined
  /** Of the module; names the files. */
  title: string
  /** Whether single keys do something on this page. */
  hasKeys?: boolean
  renderOthers?: RenderOtherMatches | undefined
}

/** Shows the transcript with its length. Its owner can correct it line by line. */
export function TranscriptBox({ corrector, ...props }: TranscriptBoxProps) {
  if (corrector === undefined) return <TranscriptCard {...props} />
  return <OwnedTranscript {...props} corrector={corrector} />
}

function OwnedTranscript({ corrector, ...props }: TranscriptBoxProps & { corrector: Corrector }) {
  const { segments, isGrowing } = props
  const corrections = useCorrections({ segments, corrector, canCorrect: !isGrowing && segments.length > 0 })
  return <TranscriptCard {...props} corrections={corrections} />
}

interface TranscriptCardProps extends Omit<TranscriptBoxProps, 'corrector'> {
  corrections?: Corrections
}

function TranscriptCard({ hasKeys = false, corrections, ...props }: TranscriptCardProps) {
  const { text, segments, failure, isGrowing, video, title, renderOthers, cutting } = props
  /** How far the reader has come, 0–1, so that correcting begins there. */
  const readShare = useRef(0)
  const [startShare, setStartShare] = useState(0)
  const [isSearching, setIsSearching] = useState(false)
  const isCorrecting = corrections?.isOn === true
  const canSearch = video !== undefined && segments.length > 0 && !isCorrecting
  const box = useRef<HTMLElement>(null)
  const heading = useFocusWhenFewer(corrections?.kept ? 1 : 0)
  useSearchKey(canSearch && hasKeys, () => {
    setIsSearching(true)
    // For one that is open already; a new one takes the focus itself.
    box.current?.querySelector<HTMLElement>('[role="search"] input')?.focus()
  })
  function setCorrecting(isOn: boolean) {
    setStartShare(readShare.current)
    corrections?.setIsOn(isOn)
  }
  return (
    <Card>
      <section ref={box} aria-labelledby="transcript-heading">
        <TranscriptHeader
          {...{ heading, text, segments, isGrowing, title }}
          searchKey={hasKeys ? '/' : undefined}
          search={canSearch ? { isOn: isSearching, toggle: () => setIsSearching(!isSearching) } : null}
          correcting={
            canToggle(corrections) ? { isOn: isCorrecting, toggle: () => setCorrecting(!isCorrecting) } : null
          }
        />
        {corrections && <CorrectionNotices corrections={corrections} onGoOn={() => setCorrecting(true)} />}
        {failure && (
          <LoadFailure
            {...failure}
            message={text ? m.failed_to_load_the_times() : m.failed_to_load_the_transcript()}
            retryLabel={m.load_transcript_again()}
            className={text ? 'border-b border-line px-4 py-2.5' : 'min-h-44 content-center px-4 py-2.5'}
          />
        )}
        {corrections?.isOn ? (
          <CorrectionMode {...{ segments, corrections, startShare }} />
        ) : (
          <TranscriptText
            {...{ text, segments, failure, isGrowing, video, isSearching, renderOthers, cutting }}
            corrector={corrections?.canCorrect ? corrections.corrector : undefined}
            onSearchEnd={() => setIsSearching(false)}
            onScroll={({ currentTarget }) => {
              readShare.current = currentTarget.scrollTop / currentTarget.scrollHeight
            }}
          />
        )}
      </section>
    </Card>
  )
}

/** An open line has its own ways to end. */
function canToggle(corrections: Corrections | undefined): boolean {
  return corrections?.canCorrect === true && !(corrections.isOn && corrections.line !== null)
}

interface Mode {
  isOn: boolean
  toggle: () => void
}

interface TranscriptHeaderProps extends Pick<TranscriptBoxProps, 'text' | 'segments' | 'isGrowing' | 'title'> {
  heading: Ref<HTMLHeadingElement>
  /** Null where there is nothing to search. */
  search: Mode | null
  searchKey: string | undefined
  /** Null where nothing can be corrected now. */
  correcting: Mode | null
}

function TranscriptHeader({ heading, text, segments, isGrowing, title, ...modes }: TranscriptHeaderProps) {
  const { search, searchKey, correcting } = modes
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-2.5 border-b border-line py-2 pe-2 ps-4">
      <ScrollText aria-hidden="true" className="size-4 text-ink-faint" />
      <h2 ref={heading} id="transcript-heading" tabIndex={-1} className="font-semibold">
        {m.transcript()}
      </h2>
      {text !== undefined && (
        <span className="truncate text-sm text-ink-faint tabular-nums">
          {m.characters_in_all({ count: formatCount(text.length) })}
        </span>
      )}
      <span className="ms-auto flex flex-wrap justify-end">
        {search !== null && (
          <Button
            variant="ghost"
            size="small"
            className="px-2!"
            aria-label={m.search_the_transcript()}
            aria-expanded={search.isOn}
            aria-keyshortcuts={searchKey}
            onClick={search.toggle}
          >
            <Search aria-hidden="true" className="size-4" />
          </Button>
        )}
        {correcting !== null && (
          <Button
            variant={correcting.isOn ? 'secondary' : 'ghost'}
            size="small"
            onClick={correcting.toggle}
            aria-label={correcting.isOn ? m.done_correcting_the_transcript() : m.correct_the_transcript()}
          >
            {!correcting.isOn && <PencilLine aria-hidden="true" className="size-4" />}
            {correcting.isOn ? m.done_state() : m.correct()}
          </Button>
        )}
        {text && <CopyButton text={text} variant="ghost" size="small" />}
        {segments.length > 0 && !isGrowing && <TranscriptMenu title={title} segments={segments} />}
      </span>
    </div>
  )
}

interface TranscriptTextProps extends Omit<TranscriptBoxProps, 'title' | 'hasKeys'> {
  isSearching: boolean
  onSearchEnd: () => void
  onScroll: UIEventHandler<HTMLElement>
}

function TranscriptText({ text, segments, failure, isGrowing, video, ...reader }: TranscriptTextProps) {
  if (text === undefined && failure !== undefined) return null
  if (text === undefined) {
    return (
      <div className="h-(--transcript-height,11rem) space-y-3 p-4">
        {['w-11/12', 'w-4/5', 'w-2/3'].map((width) => (
          <Skeleton key={width} className={`h-3.5 ${width}`} />
        ))}
      </div>
    )
  }
  if (text === '' && isGrowing) {
    // As high as the words that come, so that nothing below moves when they do.
    return <p className="h-(--transcript-height,11rem) p-4 text-sm text-ink-soft">{m.what_is_said_in_the()}</p>
  }
  if (text === '') return <p className="p-4 text-sm text-ink-soft">{m.there_is_no_transcript_for()}</p>
  if (segments.length > 0 && video !== undefined) return <TranscriptReader {...reader} {...{ segments, video }} />
  return (
    <div
      role="group"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-labelledby="transcript-heading"
      onScroll={reader.onScroll}
      className="h-(--transcript-height,11rem) overflow-y-auto rounded-b-card p-4 text-sm leading-relaxed"
    >
      {segments.length === 0 ? (
        <p dir="auto">{text}</p>
      ) : (
        <TimedText segments={segments} corrector={reader.corrector} />
      )}
    </div>
  )
}

function TimedText({ segments, corrector }: Pick<TranscriptBoxProps, 'segments' | 'corrector'>) {
  return (
    <ul className="grid grid-cols-1 gap-2">
      {segments.map((segment) => (
        <li key={segment.id} className="flex gap-4">
          <span className="shrink-0 pt-px text-xs leading-relaxed text-ink-faint tabular-nums">
            {formatTime(segment.start)}
          </span>
          <span dir="auto" className="min-w-0">
            <SpeakerName>{segment.speaker}</SpeakerName>
            {segment.text}
          </span>
          <ScreenRepair {...{ segment, corrector }} />
        </li>
      ))}
    </ul>
  )
}

/** Where a slash is a letter, or belongs to something that is open. */
const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], dialog'

/** `/` opens the search of the page, as it does elsewhere. */
function useSearchKey(isOn: boolean, onOpen: () => void): void {
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    if (!isOn) return
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, ctrlKey, altKey, metaKey } = event
      if (key !== '/' || ctrlKey || altKey || metaKey || event.defaultPrevented || event.isComposing) return
      if (target instanceof Element && target.closest(TYPED_INTO) !== null) return
      // The key would become the first letter of the search, and opens Firefox's own search.
      event.preventDefault()
      open()
    }
    return listen(document, { keydown: onKeyDown })
  }, [isOn])
}
