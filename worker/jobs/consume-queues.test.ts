import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { localServices } from '#local/local-services.ts'
import type { Context } from '#worker/core/context.ts'
import { createWorker } from '#worker/create-worker.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import { beginUpload, pickFile } from '#worker/pipeline/testing/browser-upload.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { handleUploadsCreated } from './consume-queues.ts'
import { unbounded } from './testing/sweep-here.ts'

holdTasks()

function notificationOf(key: string, action = 'PutObject') {
  const object = { key, size: 1, eTag: 'x' }
  return { account: 'a', bucket: 'adapt-media', action, object, eventTime: '2026-11-01T00:00:00Z' }
}

function toBatch(bodies: unknown[], queue = 'adapt-uploads') {
  const messages = bodies.map((body, at) => ({ id: `notification-${at}`, timestamp: new Date(), attempts: 1, body }))
  return createMessageBatch(queue, messages)
}

async function deliver(bodies: unknown[], deps: Context, isBounded = false) {
  const batch = toBatch(bodies)
  await handleUploadsCreated(batch, { ...unbounded(deps), ...(isBounded && { hasQueriesLeft: () => false }) })
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext())
  return { acked: explicitAcks.length, retried: retryMessages.length }
}

it('starts an upload whose tab was closed right after the last byte, once', { tags: 'fault-9' }, async () => {
  const driver = openDriver()
  const upload = await beginUpload(driver, await pickFile(20_000))
  await upload.sendPart(1)
  const notification = notificationOf(upload.key, 'CompleteMultipartUpload')
  expect(await deliver([notification, notification, notificationOf(upload.key, 'CopyObject')], driver.deps)).toEqual({
    acked: 3,
    retried: 0,
  })
  expect(await driver.listReady()).toMatchObject([{ kind: 'ingest', moduleId: upload.moduleId, run: 1 }])
  await upload.complete()
  expect(await driver.listReady()).toHaveLength(1)
})

it('drops event notifications of anything else', { tags: 'fault-12' }, async () => {
  const { deps, listReady } = openDriver()
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const others = [
    notificationOf('src/unknown/source'),
    notificationOf('chunks/x/1/0'),
    notificationOf('src/unknown/source', 'DeleteObject'),
    '{bad',
    { action: 'PutObject' },
  ]
  expect(await deliver(others, deps)).toEqual({ acked: 5, retried: 0 })
  expect(linesWhere(warned, ({ event }) => /^(?:upload|event_notification)_/.test(event))).toHaveLength(3)
  warned.mockRestore()
  expect(await listReady()).toEqual([])
})

it('starts nothing for an upload that was cancelled', { tags: 'fault-3' }, async () => {
  const driver = openDriver()
  const upload = await beginUpload(driver, await pickFile(20_000))
  await upload.sendPart(1)
  await upload.cancel()
  await env.MEDIA.put(upload.key, upload.file.bytes)
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  expect(await deliver([notificationOf(upload.key)], driver.deps)).toEqual({ acked: 1, retried: 0 })
  warned.mockRestore()
  expect(await driver.listReady()).toEqual([])
})

it('comes again when the bucket cannot be asked', { tags: 'fault-12' }, async () => {
  const driver = openDriver()
  const upload = await beginUpload(driver, await pickFile(20_000))
  await env.DB.prepare('UPDATE modules SET upload_id = NULL WHERE id = ?').bind(upload.moduleId).run()
  const bucket = { head: () => Promise.reject(new Error('bucket away')) } as unknown as R2Bucket
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  expect(await deliver([notificationOf(upload.key)], { ...driver.deps, bucket })).toEqual({ acked: 0, retried: 1 })
  warned.mockRestore()
})

it('leaves what there are no queries left for to another delivery', async () => {
  const driver = openDriver()
  const upload = await beginUpload(driver, await pickFile(20_000))
  await upload.sendPart(1)
  const notifications = [notificationOf(upload.key), notificationOf(upload.key)]
  expect(await deliver(notifications, driver.deps, true)).toEqual({ acked: 0, retried: 2 })
  expect(await driver.listReady()).toEqual([])
})

it('reaches the worker through its queue, whatever the environment is called', async () => {
  const driver = openDriver()
  const upload = await beginUpload(driver, await pickFile(20_000))
  await upload.sendPart(1)
  await createWorker(localServices).queue(
    toBatch([notificationOf(upload.key)], 'adapt-preview-login-uploads'),
    env,
    createExecutionContext(),
  )
  expect(await findModule(driver.deps.db, upload.moduleId)).toMatchObject({ run: 1 })
})
