import { QueryClientProvider } from '@tanstack/react-query'
import { vi } from 'vitest'
import { makeQueryClient } from '#web/lib/query-client.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { TutorPanel } from '../tutor-panel.tsx'
import type { TutorPanelProps } from '../use-tutor-panel.ts'
import type { TutorVideo } from '../use-tutor-voice.ts'
import type { FakeTutor } from './fake-tutor.ts'

/** A video that only remembers what was asked of it. */
export class FakeVideo implements TutorVideo {
  readonly done: string[] = []
  isPlaying = false
  playFrom = (seconds: number) => void this.done.push(`play from ${seconds}`)
  hold = () => void this.done.push('hold')
  release = () => void this.done.push('release')
}

const STEP_STARTS = [7.2, 250]

/** Draws the tutor of module `m1` in a column of its own, or as on a phone. */
export function openTutor(server: FakeTutor, props: Partial<TutorPanelProps> = {}, screen: 'wide' | 'small' = 'wide') {
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: screen === 'wide' && media.includes('min-width') }),
  )
  Element.prototype.scrollIntoView = vi.fn()
  const video = new FakeVideo()
  const { user } = renderApp(
    <QueryClientProvider client={makeQueryClient()}>
      <TutorPanel
        moduleId="m1"
        availability="ready"
        video={video}
        stepStarts={STEP_STARTS}
        stepTitle="Open the valve"
        readWhereabouts={() => ({ videoTime: 12.5, currentStep: { id: 's1' }, allSteps: [{ id: 's1' }] })}
        renderRating={({ turnId }) => <p>Rate {turnId.slice(0, 4)}</p>}
        {...props}
      />
    </QueryClientProvider>,
    { callApi: server.callApi },
  )
  return { user, video }
}
