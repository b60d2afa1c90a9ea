import { sql } from 'drizzle-orm'
import { type Db, listRows, runSql } from '#worker/db/db.ts'
import { deletedModules } from '#worker/db/operation-tables.ts'
import { recordSubjects } from '#worker/db/record-tables.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { versionsOf } from '#worker/domain/version/version-objects.ts'

/** Whether records are about a deleted module, whose versions are kept for them. */
export async function isRecorded(db: Db, moduleId: string): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 FROM ${deletedModules} JOIN ${recordSubjects} ON ${recordSubjects.orgId} = ${deletedModules.orgId}
          AND ${recordSubjects.moduleId} = ${deletedModules.id}
        WHERE ${deletedModules.id} = ${moduleId} LIMIT 1`,
  )
  return rows.length > 0
}

/** Removes the versions of a module that was erased, once no record is about it any more. */
export async function removeUnrecordedVersions(
  { d1, bucket }: { d1: D1Database; bucket: R2Bucket },
  { orgId, moduleId }: { orgId: string; moduleId: string },
): Promise<void> {
  const needed = await listRows(
    d1,
    `SELECT 1 FROM record_subjects WHERE org_id = ?1 AND module_id = ?2
     UNION ALL SELECT 1 FROM modules WHERE id = ?2 UNION ALL SELECT 1 FROM deleted_modules WHERE id = ?2 LIMIT 1`,
    orgId,
    moduleId,
  )
  if (needed.length > 0) return
  await removeObjects(bucket, versionsOf(moduleId))
  await runSql(d1, 'DELETE FROM training_versions WHERE module_id = ?', moduleId)
}
