// Loaded before the first paint, so that no page flashes in the wrong colours. The key is that of web/ui/theme-select.tsx.
try {
  const theme = localStorage.getItem('adapt_theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser that forbids storage follows the system.
}
