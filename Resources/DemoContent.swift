// The bundled content's locator.
