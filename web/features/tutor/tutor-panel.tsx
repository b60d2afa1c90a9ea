import { ArrowDown } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { toast } from 'sonner'
import * as m from '#messages'
import { useMediaQuery } from '#web/lib/browser-state.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Composer } from './composer.tsx'
import { ConversationMissing, ConversationSkeleton, Invitation, QuickPrompts } from './invitation.tsx'
import type { Turn } from './turn-view.tsx'
import { TurnView } from './turn-view.tsx'
import { TutorTools } from './tutor-tools.tsx'
import { type TutorPanelProps, type TutorPanelState, useTutorPanel } from './use-tutor-panel.ts'

/** From here on the tutor has a column of its own, and is always open. */
const WIDE = '(min-width: 64rem)'

/**
 * The tutor of a video: what was asked and answered, and where to ask. On a small screen it is the field alone until it
 * is used, and the conversation opens below it, so that nothing moves under the finger.
 */
export function TutorPanel(props: TutorPanelProps) {
  const isWide = useMediaQuery(WIDE)
  const panel = useTutorPanel(props, isWide)
  const { isOpen } = panel.opening
  const composer = <Composer key="composer" panel={panel} />
  const prompts = <QuickPrompts key="prompts" panel={panel} />
  const list = useRef<TurnLogHandle>(null)
  const log = <PanelLog key="log" list={list} panel={panel} {...props} />
  function forget() {
    const show = () => list.current?.show()
    void panel.tutor.forget().then(show, () => toast.error(m.failed_to_clear_the_conversation()))
  }
  return (
    <Frame
      tools={<TutorTools panel={panel} canClose={!isWide} onForget={forget} />}
      isWide={isWide}
      isOpen={isOpen}
      announcement={panel.announcement}
    >
      {isWide ? [log, prompts, composer] : [composer, isOpen && prompts, isOpen && log]}
    </Frame>
  )
}

interface FrameProps {
  tools: ReactNode
  isWide: boolean
  isOpen: boolean
  announcement: string
  children: ReactNode
}

function Frame({ tools, isWide, isOpen, announcement, children }: FrameProps) {
  const id = useId()
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    // With the title out of the way, conversation and video fit the screen together.
    if (isOpen && !isWide) place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  }, [isOpen, isWide])
  return (
    <Card className="flex min-h-0 flex-col lg:h-full">
      <section ref={place} aria-labelledby={id} className="flex min-h-0 flex-1 flex-col">
        <div className="flex min-h-14 items-center justify-between gap-2 border-line py-2 pe-2 ps-4 max-lg:sr-only lg:border-b">
          <h2 id={id} className="font-semibold">
            {m.ask_the_tutor()}
          </h2>
          {isWide && tools}
        </div>
        {children}
        {!isWide && isOpen && <div className="flex justify-end border-t border-line px-2 py-1">{tools}</div>}
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </section>
    </Card>
  )
}

interface PanelLogProps extends TutorPanelProps {
  list: RefObject<TurnLogHandle | null>
  panel: TutorPanelState
}

function PanelLog({
  list,
  panel,
  availability,
  video,
  stepStarts,
  stepTitle,
  renderRating,
  renderFrame,
  renderAsk,
}: PanelLogProps) {
  const { tutor, isOff, ask } = panel
  const { turns, isBusy, retry } = tutor
  // What is pressed makes place for the answer, so the focus goes to the list.
  const retryHere = useCallback(
    (turn: Turn) => {
      list.current?.show()
      retry(turn)
    },
    [list, retry],
  )
  const playFrom = useCallback((seconds: number) => video.playFrom(seconds), [video])
  function askSuggested(question: string) {
    list.current?.show()
    ask(question, 'keyboard')
  }
  return (
    <TurnLog
      ref={list}
      takesFocus={panel.opening.wasShown}
      turns={turns}
      empty={
        isOff || !(tutor.isLoading || tutor.hasFailedToLoad) ? (
          <Invitation {...{ availability, stepTitle }} onAsk={askSuggested} />
        ) : tutor.isLoading ? (
          <ConversationSkeleton />
        ) : (
          <ConversationMissing onRetry={() => void tutor.reload()} />
        )
      }
      renderTurn={(turn) => (
        <TurnView
          key={turn.turnId}
          {...{ turn, stepStarts, isBusy, renderRating, renderFrame, renderAsk }}
          onPlay={playFrom}
          onRetry={retryHere}
        />
      )}
    />
  )
}

interface TurnLogHandle {
  /** Scrolls to the newest turn and focuses it, because the pressed control is gone or far away. */
  show(): void
}

interface TurnLogProps {
  ref: Ref<TurnLogHandle>
  /** The learner has just asked to see it. */
  takesFocus: boolean
  turns: readonly Turn[]
  /** In place of turns. */
  empty: ReactNode
  renderTurn: (turn: Turn) => ReactNode
}

/** The conversation, oldest first; its end stays visible unless the reader scrolls up. */
function TurnLog({ ref, takesFocus, turns, empty, renderTurn }: TurnLogProps) {
  const box = useRef<HTMLDivElement>(null)
  const { isAtEnd, follow, onScroll } = useFollowEnd(box, turns)
  useImperativeHandle(ref, () => ({ show }))
  useEffect(() => {
    if (takesFocus) box.current?.focus({ preventScroll: true })
  }, [takesFocus])
  function show() {
    follow()
    box.current?.focus({ preventScroll: true })
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col border-line max-lg:border-t">
      <div
        ref={box}
        role="region"
        aria-label={m.conversation()}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3 text-sm focus-visible:-outline-offset-2 max-lg:max-h-[clamp(9rem,calc(100dvh-33rem),24rem)] max-lg:flex-none"
      >
        {turns.length === 0 ? empty : <ol className="grid grid-cols-1 gap-5">{turns.map(renderTurn)}</ol>}
      </div>
      {!isAtEnd && (
        <Button
          variant="secondary"
          size="small"
          onClick={show}
          className="absolute! bottom-2 left-1/2 -translate-x-1/2"
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          {m.jump_to_latest()}
        </Button>
      )}
    </div>
  )
}

/** Nearer to the end than this counts as at it. */
const SLACK_PX = 32

/**
 * Keeps the end of a list in sight while it grows, until the reader scrolls up.
 * @param content draws again whenever the list does; what stands in place of an empty one is read from its beginning
 */
function useFollowEnd(box: RefObject<HTMLElement | null>, content: readonly unknown[]) {
  const [isAtEnd, setIsAtEnd] = useState(true)
  const isFollowing = useRef(true)
  useLayoutEffect(() => {
    if (isFollowing.current && content.length > 0) scrollToEnd(box.current)
  }, [box, content])
  function follow() {
    isFollowing.current = true
    setIsAtEnd(true)
    scrollToEnd(box.current)
  }
  return {
    isAtEnd,
    follow,
    onScroll: () => {
      const list = box.current
      if (list === null) return
      isFollowing.current = list.scrollHeight - list.scrollTop - list.clientHeight < SLACK_PX
      setIsAtEnd(isFollowing.current)
    },
  }
}

function scrollToEnd(list: HTMLElement | null): void {
  if (list !== null) list.scrollTop = list.scrollHeight
}
