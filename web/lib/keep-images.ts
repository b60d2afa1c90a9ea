import type { QueryClient } from '@tanstack/react-query'
import type { ImageName } from '#contract/image.ts'
import { largeName, wantedImage, wideName } from '#contract/image-url.ts'
import { Done } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { CallApi } from './api.ts'
import { ApiError } from './api-error.ts'
import { moduleKey } from './module-cache.ts'
import type { StepImages } from './step-images.ts'

interface KeepOptions {
  moduleId: string
  /** Of which video they are, where the module may have another one by now. */
  videoId?: string | null
  callApi: CallApi
  signal?: AbortSignal | undefined
}

/** Keeps an image with its module. @throws {ApiError} */
export async function keepImage(
  { moduleId, videoId, callApi, signal }: KeepOptions,
  name: ImageName,
  content: Blob,
): Promise<void> {
  const query = videoId ? `?${new URLSearchParams({ videoId })}` : ''
  const path = `/api/modules/${encodeURIComponent(moduleId)}/images/${name}${query}`
  await callApi({ path, method: 'PUT', file: { content, contentType: content.type }, schema: Done, signal })
}

/**
 * Keeps the images of a step: the larger one before the smallest, with which the step counts as having its image, and the
 * wide one, which few people load, behind both.
 */
export async function keepStepImages(
  options: KeepOptions,
  name: ImageName,
  { small, large, wide }: StepImages,
): Promise<void> {
  if (large !== null) await keepImage(options, largeName(name), large)
  await keepImage(options, name, small)
  if (wide !== null) await keepImage(options, wideName(name), wide).catch(allowNoRoom)
}

/** A training of very many steps has no room for wide ones; whoever enlarges an image sees the larger one. */
function allowNoRoom(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'images_full')) throw error
}

/** Makes the images of a module in one tab of this browser at a time. */
export async function holdImages(moduleId: string, make: () => Promise<void>): Promise<void> {
  // Absent where the page is not served securely.
  if (navigator.locks === undefined) return make()
  await navigator.locks.request(`adapt-images-${moduleId}`, make)
}

/** Shows an image that is kept now, wherever its module or its step is on the screen. */
export function showKeptImage(queryClient: QueryClient, moduleId: string, name: ImageName): void {
  if (name === 'poster') return void queryClient.invalidateQueries({ queryKey: moduleKey(moduleId) })
  queryClient.setQueryData<StepsAnswer>(['steps', moduleId], (answer) => {
    if (answer === undefined) return undefined
    const steps = answer.steps.map((step) => (wantedImage(step) === name ? { ...step, image: name } : step))
    return { ...answer, steps }
  })
}
