import { LEARNER_ROUTES } from './learner-routes.ts'
import { MATRIX_ROUTES } from './matrix-routes.ts'
import { RECORD_ROUTES } from './record-routes.ts'
import type { RouteRow } from './route-row.ts'
import { TEAM_ROUTES } from './team-routes.ts'
import { TRAINER_ROUTES } from './trainer-routes.ts'

/** Every route of the worker, by method and path; how its calls are counted stands in `CALL_LIMITS`. */
export const ROUTES: Readonly<Record<string, RouteRow>> = {
  ...TRAINER_ROUTES,
  ...LEARNER_ROUTES,
  ...TEAM_ROUTES,
  ...MATRIX_ROUTES,
  ...RECORD_ROUTES,
}
