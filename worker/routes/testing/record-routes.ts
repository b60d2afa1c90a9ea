import { ExportRequest } from '#contract/records/export-request.ts'
import * as proof from '#contract/records/proof.ts'
import * as list from '#contract/records/record-list.ts'
import { type RouteRow, WRITTEN_BEFORE } from './route-row.ts'

/** Routes of the training records of an organization. */
export const RECORD_ROUTES: Record<string, RouteRow> = {
  'GET /api/records': { access: 'admin', query: list.RecordFilter, answer: list.RecordsAnswer },
  'GET /api/records/export': { access: 'admin', query: ExportRequest },
  'GET /api/records/proof': {
    access: 'admin',
    search: 'person=none',
    query: proof.ProofRequest,
    answer: proof.ProofAnswer,
  },
  'PUT /api/records/keeping': {
    access: 'admin',
    json: { months: 36, hold: null, showsEffort: true, name: 'Mara Holm' },
    body: list.KeepingRequest,
  },
  // A photo, a record and a person that there are not.
  'GET /api/records/photos/:recordedId/:hash': { access: 'admin', ok: 404 },
  'POST /api/records/:seq/correction': {
    access: 'admin',
    ok: 404,
    json: { reason: 'It was somebody else.', name: 'Mara Holm' },
    body: list.CorrectionRequest,
  },
  'DELETE /api/records/people/:recordedId': {
    access: 'admin',
    ok: 404,
    rows: WRITTEN_BEFORE,
    json: { name: 'Mara Holm' },
    body: list.ErasureRequest,
  },
}
