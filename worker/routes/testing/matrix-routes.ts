import * as asked from '#contract/records/asked-steps.ts'
import * as matrix from '#contract/records/matrix.ts'
import * as signOff from '#contract/records/sign-off.ts'
import type { RouteRow } from './route-row.ts'

/** Routes about how people stand with trainings, for those who train them. */
export const MATRIX_ROUTES: Record<string, RouteRow> = {
  // Also with the key of an organization, and without a person.
  'GET /api/matrix': { access: 'admin', query: matrix.MatrixRequest, answer: matrix.MatrixAnswer },
  // Nothing is asked of those who have no personal link.
  'GET /api/my/trainings/:linkId/asked': { access: 'anyone', ok: 404, answer: asked.AskedStepsAnswer },
  // The planted organization asks nobody for anything.
  'GET /api/sign-off/:personId/:moduleId': { access: 'admin', ok: 404, answer: signOff.SignOffAnswer },
  'GET /api/sign-off/settings': { access: 'admin', answer: signOff.SignOffSettingsAnswer },
  'PUT /api/sign-off/settings': {
    access: 'admin',
    // With a limit, those who call the routes below would be asked for a password.
    json: { passwordMinutes: null },
    body: signOff.SignOffSettings,
    answer: signOff.SignOffSettingsAnswer,
  },
  'POST /api/sign-off/:personId/:moduleId': {
    access: 'admin',
    ok: 404,
    json: { version: '0'.repeat(64), seq: 0, steps: [], name: 'Bo', meaning: 'It was shown to me.' },
    body: signOff.SignOff,
    answer: signOff.SignOffAnswer,
  },
  'POST /api/sign-off/:personId/:moduleId/photos': {
    access: 'admin',
    ok: 404,
    text: 'no picture',
    bytes: 'image',
    answer: signOff.SignOffPhotoAnswer,
  },
}
