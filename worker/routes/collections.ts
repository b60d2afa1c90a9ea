import { type Context, Hono } from 'hono'
import {
  type CollectionAnswer,
  type CollectionListAnswer,
  CollectionPatch,
  NewCollection,
} from '#contract/collection.ts'
import { prepareCollection, settleCollection } from '#worker/domain/assignment/assign-trainings.ts'
import {
  changeCollection,
  getOwnCollection,
  listModulesOf,
  makeCollection,
  presentHead,
  removeCollection,
} from '#worker/domain/collection/collection.ts'
import { type CollectionRow, listCollections } from '#worker/domain/collection/collection-store.ts'
import { forgetShareNow, forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { answerDone, readJson, requireUser } from '#worker/http/request.ts'
import { presentAll } from './present-modules.ts'

/** Collections of the caller's modules; their public page is beside that of a module. */
export const collectionRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const { caller, context } = c.var
    const rows = await listCollections(context.db, caller)
    const collections = rows.map((row) => ({ ...presentHead(caller, row), moduleCount: row.moduleCount }))
    return c.json({ success: true, collections } satisfies CollectionListAnswer)
  })
  .post('/', async (c) => {
    const collection = await readJson(c, NewCollection)
    return answer(c, await makeCollection(c.var.context, c.var.caller, collection))
  })
  .get('/:collectionId', async (c) => answer(c, await getOwn(c)))
  .patch('/:collectionId', async (c) => {
    const patch = await readJson(c, CollectionPatch)
    const before = await getOwn(c)
    const { moduleIds } = patch
    if (moduleIds !== undefined) await prepareCollection(c.var.context, c.var.caller, { ...before, moduleIds })
    const row = await changeCollection(c.var.context, before, patch)
    if (moduleIds !== undefined) await settleCollection(c.var.context, row)
    if (patch.shared === false) await forgetShareNow(c.var.context, row.id)
    else await forgetShareSoon(c.var.context, row.id)
    return answer(c, row)
  })
  .delete('/:collectionId', async (c) => {
    const collectionId = c.req.param('collectionId')
    await removeCollection(c.var.context, c.var.caller, collectionId)
    await forgetShareNow(c.var.context, collectionId)
    return answerDone(c)
  })

function getOwn(c: Context<AppEnv>): Promise<CollectionRow> {
  return getOwnCollection(c.var.context.db, c.var.caller, c.req.param('collectionId') ?? '')
}

async function answer(c: Context<AppEnv>, row: CollectionRow): Promise<Response> {
  const modules = await presentAll(c, await listModulesOf(c.var.context.db, row))
  return c.json({
    success: true,
    collection: { ...presentHead(c.var.caller, row), modules },
  } satisfies CollectionAnswer)
}
