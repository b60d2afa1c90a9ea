/**
 * Sets when the version that learners see of the module `?1` is to be looked at again: so many months after it was
 * published, or was found still right, on the last day of a month that is shorter. None, where they see no version or the module has no such months.
 */
export const SET_REVIEW_DATE = `
  UPDATE modules SET review_due_at = (
    SELECT unixepoch(max(at) / 1000, 'unixepoch', modules.review_months || ' months', 'floor') * 1000 FROM (
      SELECT published_at AS at FROM training_versions
      WHERE module_id = modules.id AND number = modules.published_version
      UNION ALL SELECT checked_at FROM version_checks
      WHERE module_id = modules.id AND number = modules.published_version))
  WHERE id = ?1 AND (review_months IS NOT NULL OR review_due_at IS NOT NULL)`
