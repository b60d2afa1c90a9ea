/**
 * Parts of a sweep in their order, and what it means while one does not end. Tasks that are carried over are no silence,
 * what has arrived after all is not given up, and what is given up is erased later.
 */
export const SWEPT_PARTS = {
  tasks: 'translations that were lost are not found again',
  quiet: 'lost work is not found again',
  resumed: 'what a busy model left undone stays so',
  awaited: 'uploads without a notification are not found',
  abandoned: 'unfinished uploads are not given up',
  refunded: 'quotas are not refunded',
  accounts: 'accounts are not erased',
  erased: 'deleted modules are not erased',
  indexed: 'the search does not find what is new',
  expired: 'audio of failed runs is not removed',
  asked: 'nobody is asked to do a new version again',
  images: 'unused images are not removed',
  records: 'no checkpoint of training records is kept, and none is removed after its time',
  reminders: 'nobody is reminded or told of what is overdue',
  rows: 'rows of past days are not removed',
} as const

/** A part of the sweep. Each runs in its own invocation, which has its own limit of D1 queries. */
export type SweptPart = keyof typeof SWEPT_PARTS
