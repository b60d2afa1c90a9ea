import type { DecideProposal, ProposalsAnswer, StepsAnswer } from '#contract/step.ts'
import type { Db } from '#worker/db/db.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { presentProposal } from './present-step.ts'
import { acceptProposals, listProposals, rejectProposals, reopenProposals } from './proposal-store.ts'
import { answerSteps } from './read-steps.ts'

/** What the last run offers beside a person's steps; empty when there is nothing to decide. */
export async function readProposals(db: Db, module: ModuleRow): Promise<ProposalsAnswer> {
  return { success: true, proposals: (await listProposals(db, module.id)).map(presentProposal) }
}

/** Proposals by their ids, and what a person says of all of them. */
interface Decision {
  ids: readonly string[]
  decision: DecideProposal['decision']
}

/**
 * Accepts, rejects or reopens some proposed steps. Those that another person has decided on meanwhile stay so.
 * @returns the steps as they are now
 * @throws {AppError} not_found when there is none of them any more
 */
export async function decideProposals(
  deps: { db: Db; d1: D1Database; nowMs: () => number },
  module: ModuleRow,
  { ids, decision }: Decision,
): Promise<StepsAnswer> {
  const decide = { accept: acceptProposals, reject: rejectProposals, undo: reopenProposals }[decision]
  const decided = await decide(deps.d1, { moduleId: module.id, ids, nowMs: deps.nowMs() })
  if (decided === 0) throw new AppError('not_found', 'This proposal has been decided on already.')
  return answerSteps(deps.db, (await findModule(deps.db, module.id)) ?? module, 'owner')
}
