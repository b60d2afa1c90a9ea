import { ANYONE } from '#web/features/learning/learning-log.ts'
import { NOT_NOW, postPublicly, startPublicly } from '#web/features/learning/send-report.ts'
import type { SettledReport } from '#web/features/step-report/step-flag.tsx'
import { bodyOf, openReporting, type Reporting, stepReportsPath } from '../report/reporting.tsx'
import type { Delivery, WaitingReport } from '../report/step-report-outbox.ts'
import { askServer } from './ask-server.ts'
import { findAccount, keepVisitor, readPerson, readVisitor } from './device-learner.ts'

/** Lets people with the link report from the steps of a training. */
export function openSharedReports(moduleId: string): Reporting {
  const account = findAccount()
  const tokenOf = (id: string) => account?.token ?? readVisitor(id)
  const send = async (report: WaitingReport): Promise<Delivery> => {
    const token = tokenOf(report.moduleId)
    const first = token === undefined ? ({ kind: 'expired' } as const) : await post(report, token)
    if (first.kind !== 'expired') return first
    const started = await startPublicly(report.moduleId, token === undefined ? {} : { learner: token })
    if (started.kind !== 'started') return started
    const { hasAccount, learner } = started.answer
    if (!hasAccount) keepVisitor(report.moduleId, learner)
    return post(report, learner)
  }
  return openReporting({ moduleId, who: account?.userId ?? readPerson() ?? ANYONE, send, askSettled })
}

function post(report: WaitingReport, learner: string): Promise<Delivery> {
  const body = { ...bodyOf(report), learner }
  return postPublicly(stepReportsPath(report.moduleId), body, ({ success }) =>
    success === true ? { kind: 'taken' as const } : NOT_NOW,
  )
}

async function askSettled(path: string): Promise<readonly Omit<SettledReport, 'stepId'>[]> {
  try {
    const answer = await askServer(path)
    const { settled } = Object(answer.ok ? await answer.json() : null) as { settled?: unknown }
    return Array.isArray(settled) ? settled : []
  } catch {
    // Without a network the next page asks again.
    return []
  }
}
