import type { Context } from 'hono'
import { type Module, type ModuleAnswer, type ModuleRole, seesDraft } from '#contract/module.ts'
import { issuePosterUrl, type OpenedImages } from '#worker/domain/live/ticket.ts'
import { mayDelete, organizationOf } from '#worker/domain/module/get-module.ts'
import { type ModuleCardRow, presentModule } from '#worker/domain/module/module-list-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { presentSmallCopy, secondsLackedBy } from '#worker/domain/module/small-copy.ts'
import { videoIdOf } from '#worker/domain/module/video-id.ts'
import { findReplaced } from '#worker/domain/recording/recording-store.ts'
import { listAudioTracks } from '#worker/domain/run/audio-track-store.ts'
import { readWork } from '#worker/domain/run/start-run.ts'
import { presentSteps } from '#worker/domain/step/read-steps.ts'
import { listShownSteps } from '#worker/domain/step/step-store.ts'
import { awaitsSmallCopy, presentUnshown } from '#worker/domain/version/copy-right.ts'
import { openLearnerView } from '#worker/domain/version/learner-view.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

/** Presents modules to their owner, as lists have them. */
export function presentAll(c: Context<AppEnv>, rows: ModuleCardRow[]): Promise<Module[]> {
  return Promise.all(rows.map((row) => presentCard(c, row)))
}

/** Presents a module to its owner, as lists have it. */
export function presentCard(c: Context<AppEnv>, row: ModuleCardRow): Promise<Module> {
  return present(c, row, { role: 'owner', opens: 'poster' })
}

/** Presents a module with its steps to a caller of this role. What it is made of is read side by side. */
export async function presentOpened(c: Context<AppEnv>, module: ModuleRow, role: ModuleRole) {
  const { context } = c.var
  const [{ module: shown, fields, steps }, owned, work, audioTracks] = await Promise.all([
    readShown(c, module, role),
    role === 'owner' ? readOwned(c, module) : NOT_OWNED,
    readWork(context, module),
    listAudioTracks(context.db, module),
  ])
  return {
    ...(await present(c, shown, { role, opens: 'images' })),
    ...fields,
    ...owned,
    steps,
    work,
    audioTracks,
    smallCopy: presentSmallCopy(shown),
    smallCopyLacksS: seesDraft(role) ? secondsLackedBy(module) : 0,
    videoId: seesDraft(role) ? videoIdOf(module) : null,
  } satisfies ModuleAnswer['module']
}

/** Reads what a caller of this role sees of a module and its steps. */
async function readShown({ var: { context } }: Context<AppEnv>, module: ModuleRow, role: ModuleRole) {
  if (seesDraft(role)) {
    const rows = await listShownSteps(context.db, module)
    return { module, fields: {}, steps: presentSteps(rows, role, module) }
  }
  const view = await openLearnerView(context, module)
  return { module: view.module, fields: view.fields, steps: await view.readSteps() }
}

/** What those who do not own a module see of its settings, its recording and its small copy. */
const NOT_OWNED = {
  language: null,
  glossary: null,
  audioTrack: null,
  replaces: null,
  smallCopyMayLack: null,
  lacksSmallCopy: false,
}

/** Reads what its owners alone see of a module. */
async function readOwned({ var: { caller, context } }: Context<AppEnv>, module: ModuleRow) {
  const { language, glossary, audioTrack } = module
  const [replaces, smallCopyMayLack, lacksSmallCopy] = await Promise.all([
    findReplaced(context.db, caller, module),
    presentUnshown(context, module, caller),
    awaitsSmallCopy(context, module, caller),
  ])
  return { language, glossary, audioTrack, replaces, smallCopyMayLack, lacksSmallCopy }
}

async function present(
  { var: { caller, context } }: Context<AppEnv>,
  module: ModuleCardRow,
  { role, opens }: { role: ModuleRole; opens: OpenedImages },
) {
  const posterUrl = await issuePosterUrl(context.secrets, { module, role, opens, caller, nowMs: context.nowMs() })
  const access = { mayDelete: mayDelete(caller, module), organization: organizationOf(caller, module) }
  return presentModule(module, role, { posterUrl, ...access })
}
