import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Done, type ModulePatch, VideoUrlAnswer } from '#contract/module.ts'
import type { ScreenAnswer } from '#contract/screen.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { screenProgress } from '#web/lib/screen-progress.ts'
import { useStore } from '#web/lib/use-store.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { IgnoredArea } from './ignored-area.tsx'
import { ScreenLines } from './screen-lines.tsx'
import { screenQuery } from './screen-query.ts'

interface ScreenSettingsProps {
  module: LoadedModule
  onSeek: (seconds: number) => void
}

/** What was read from the screen of a video, and whether it is read, for the owner of a training. */
export function ScreenSettings({ module, onSeek }: ScreenSettingsProps) {
  const { id, status, hasVideo } = module
  const callApi = useApi()
  const queryClient = useQueryClient()
  const query = useQuery(screenQuery(callApi, id))
  const percent = useStore(screenProgress)[id]
  const { read, hasFailed } = useReading(module)
  const wanted = useMutation({
    mutationFn: (body: Pick<ModulePatch, 'readsScreen' | 'ignoredArea'>) =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}`, method: 'PATCH', body, schema: Done }),
    onSettled: () => queryClient.invalidateQueries(screenQuery(callApi, id)),
  })
  const { readsScreen, reading, corrections = [], ignoredArea = null, organization } = query.data ?? {}
  const isHalf = reading?.isDone === false && readsScreen === true && status !== 'PROCESSING' && hasVideo
  const hasContinued = useRef(false)
  useEffect(() => {
    if (!isHalf || percent !== undefined || hasContinued.current) return
    hasContinued.current = true
    read()
  }, [isHalf, percent, read])
  if (readsScreen === undefined || reading === undefined) return null
  return (
    <Card className="flex flex-col items-start gap-4 p-5">
      <div className="w-full">
        <Switch
          label={m.text_on_the_screen()}
          description={readsScreen ? m.screen_is_read_here() : m.screen_is_not_read()}
          isOn={readsScreen}
          isDisabled={wanted.isPending}
          onChange={(isOn) => wanted.mutate({ readsScreen: isOn })}
        />
      </div>
      {module.organization === 'active' && organization?.mayChange && (
        <OfOrganization moduleId={id} {...organization} />
      )}
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {percent === undefined ? describe(reading, hasFailed) : m.reading_the_screen({ percent })}
      </p>
      {readsScreen && hasVideo && status !== 'PROCESSING' && percent === undefined && (
        <Button variant="secondary" size="small" onClick={read}>
          {reading === null ? m.read_the_screen() : m.read_the_screen_again()}
        </Button>
      )}
      {readsScreen && hasVideo && status !== 'PROCESSING' && (
        <IgnoredArea
          area={ignoredArea}
          posterUrl={module.posterUrl}
          isBusy={wanted.isPending}
          onChange={(area) => wanted.mutate({ ignoredArea: area })}
        />
      )}
      {readsScreen && status !== 'PROCESSING' && reading !== null && reading.blocks.length > 0 && (
        <Lines moduleId={id} blocks={reading.blocks} {...{ corrections, onSeek }} />
      )}
    </Card>
  )
}

/** Whether the screens of all trainings of the organization are read, for those who manage them. */
function OfOrganization({ moduleId, readsScreen }: { moduleId: string; readsScreen: boolean }) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (isOn: boolean) =>
      callApi({ path: '/api/account/screen', method: 'PUT', body: { readsScreen: isOn }, schema: Done }),
    onError: (error) => toast.error(m.failed_to_save_the_settings(), { description: error.message }),
    onSettled: () => queryClient.invalidateQueries(screenQuery(callApi, moduleId)),
  })
  return (
    <div className="w-full">
      <Switch
        label={m.screens_of_the_organization()}
        description={readsScreen ? m.screens_of_the_organization_on() : m.screens_of_the_organization_off()}
        isOn={readsScreen}
        isDisabled={change.isPending}
        onChange={(isOn) => change.mutate(isOn)}
      />
    </div>
  )
}

/** Most owners never look at them. */
function Lines(props: ComponentProps<typeof ScreenLines>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? m.hide_the_lines_of_the_screen() : m.show_the_lines_of_the_screen()}
      </Button>
      {isOpen && <ScreenLines {...props} />}
    </>
  )
}

function describe(reading: ScreenAnswer['reading'], hasFailed: boolean): string | null {
  if (hasFailed) return m.screen_cannot_be_read_here()
  return reading && m.lines_read_from_screen({ count: reading.blocks.length })
}

/** Reads the stored video, until the page closes. */
function useReading({ id, language }: LoadedModule) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const [hasFailed, setHasFailed] = useState(false)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  async function start(): Promise<void> {
    const abort = new AbortController()
    stop.current = abort
    setHasFailed(false)
    const { signal } = abort
    const openVideo = async () => {
      const path = `/api/video-url/module/${encodeURIComponent(id)}`
      const { url } = await callApi({ path, schema: VideoUrlAnswer, signal })
      return new URL(url, location.href).href
    }
    try {
      // Most pages are left without it.
      const { readModuleScreen } = await import('./read-module-screen.ts')
      await readModuleScreen({ moduleId: id, openVideo, language, callApi, signal, isBusy: () => false })
    } catch (error) {
      if (signal.aborted) return
      console.info('The screen of this video cannot be read here', error)
      setHasFailed(true)
    } finally {
      await queryClient.invalidateQueries(screenQuery(callApi, id))
    }
  }
  return { read: () => void start(), hasFailed }
}
