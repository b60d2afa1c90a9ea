import type { LearningUse } from '#worker/domain/learning/learning-limits.ts'
import { makeHasher } from '#worker/domain/signed-payload.ts'

/**
 * Reports on one day: of a device at one module, of a network and of its site at all modules, and of a module. A hostile
 * device fills ten of a trainer's entries and is ignored as a whole; a site leaves most of a module's to others.
 */
export const REPORTS_OF_DAY = { learner: 10, network: 30, site: 60, module: 200 } as const

/** Bytes of a name, as of the other sums of a day. */
const NAME_BYTES = 12

interface Reporter {
  moduleId: string
  learnerId: string
  day: string
  /** The results of `networkOf` and `siteOf`. */
  network: string | null
  site: string | null
}

/** Lists the sums of the day that a report counts towards. They lie beside those of what learners watch. */
export async function listReportUses(
  secrets: string,
  { moduleId, learnerId, network, site, day }: Reporter,
): Promise<LearningUse[]> {
  const hash = await makeHasher(secrets, { purpose: 'step-reports', sizeBytes: NAME_BYTES })
  const use = async (of: string[], reportsMax: number) => {
    return { who: await hash(day, ...of), learners: 0, learnersMax: null, reports: 1, reportsMax }
  }
  const uses = [
    use(['module', moduleId], REPORTS_OF_DAY.module),
    use(['learner', moduleId, learnerId], REPORTS_OF_DAY.learner),
  ]
  if (network !== null) uses.push(use(['network', network], REPORTS_OF_DAY.network))
  if (site !== null) uses.push(use(['site', site], REPORTS_OF_DAY.site))
  return Promise.all(uses)
}
