/** The dimmed page behind a dialog. */
export const SCRIM_CLASS = 'fixed inset-0 z-50 animate-fade-in bg-scrim'

/** The panel of a dialog: centred, never taller than the window, full width less a margin on a phone. */
export const PANEL_CLASS =
  'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 ' +
  'overflow-y-auto rounded-panel border border-line bg-raised p-6 shadow-float animate-fade-in focus:outline-none'
