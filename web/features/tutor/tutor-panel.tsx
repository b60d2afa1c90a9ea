import { type ReactNode, useCallback, useEffect, useId, useRef } from 'react'
import { useMediaQuery } from '#web/lib/use-media-query.ts'
import { Card } from '#web/ui/card.tsx'
import { Composer } from './composer.tsx'
import { ConversationMissing, ConversationSkeleton, Invitation } from './invitation.tsx'
import { QuickPrompts } from './quick-prompts.tsx'
import { TurnLog, type TurnLogHandle } from './turn-log.tsx'
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
  const composer = <PanelComposer key="composer" panel={panel} />
  const prompts = <PanelPrompts key="prompts" panel={panel} />
  const log = <PanelLog key="log" panel={panel} {...props} />
  return (
    <Frame
      tools={<PanelTools panel={panel} isWide={isWide} />}
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
        <div className="flex min-h-14 items-center justify-between gap-2 border-line py-2 pr-2 pl-4 max-lg:sr-only lg:border-b">
          <h2 id={id} className="font-semibold">
            Ask the tutor
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

function PanelComposer({ panel }: { panel: TutorPanelState }) {
  const { tutor, opening, voice, text, isOnline, isOff, write, send, stop } = panel
  return (
    <Composer
      wasClosed={opening.wasClosed}
      {...{ text, voice, isOnline, isOff }}
      isBusy={tutor.isBusy}
      onOpen={opening.isOpen ? undefined : opening.open}
      onText={write}
      onSend={() => {
        send()
        voice.cancel()
      }}
      onStop={stop}
    />
  )
}

function PanelPrompts({ panel: { tutor, isOff, isOnline, ask } }: { panel: TutorPanelState }) {
  return <QuickPrompts isOff={isOff || tutor.isBusy || !isOnline} onAsk={(words) => ask(words, 'keyboard')} />
}

function PanelTools({ panel: { tutor, aloud, opening }, isWide }: { panel: TutorPanelState; isWide: boolean }) {
  return (
    <TutorTools
      aloud={aloud}
      hasTurns={tutor.turns.length > 0}
      onForget={tutor.forget}
      onClose={isWide ? undefined : opening.close}
    />
  )
}

function PanelLog({
  panel,
  availability,
  video,
  stepStarts,
  stepTitle,
  renderRating,
}: TutorPanelProps & { panel: TutorPanelState }) {
  const log = useRef<TurnLogHandle>(null)
  const { tutor, isOff, ask } = panel
  const { turns, isBusy, retry } = tutor
  const playFrom = useCallback((seconds: number) => video.playFrom(seconds), [video])
  function askSuggested(question: string) {
    // What was pressed makes place for the conversation.
    log.current?.show()
    ask(question, 'keyboard')
  }
  const invitation = <Invitation {...{ availability, stepTitle }} onAsk={askSuggested} />
  return (
    <TurnLog
      ref={log}
      turns={turns}
      empty={isOff ? invitation : (whatIsMissing(tutor) ?? invitation)}
      renderTurn={(turn) => (
        <TurnView key={turn.turnId} {...{ turn, stepStarts, isBusy, renderRating }} onPlay={playFrom} onRetry={retry} />
      )}
    />
  )
}

function whatIsMissing({ isLoading, hasFailedToLoad, reload }: TutorPanelState['tutor']): ReactNode {
  if (isLoading) return <ConversationSkeleton />
  return hasFailedToLoad ? <ConversationMissing onRetry={() => void reload()} /> : null
}
