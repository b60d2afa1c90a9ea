import type { TaskHandlers } from '#worker/tasks/task.ts'
import { NOTIFY_HANDLER } from './notify.ts'
import { RUN_HANDLERS } from './run-handlers.ts'
import { TRANSLATE_HANDLER } from './translate.ts'

/** The handler of each kind of task. */
export const TASK_HANDLERS: TaskHandlers = { ...RUN_HANDLERS, translate: TRANSLATE_HANDLER, notify: NOTIFY_HANDLER }
