// The files that were built from results/web/; the build says where they are.
        .section .rodata
        .global gradwire_page_begin, gradwire_page_end, gradwire_paper_begin, gradwire_paper_end
gradwire_page_begin:
#ifdef GRADWIRE_PAGE
        .incbin GRADWIRE_PAGE
#endif
gradwire_page_end:
        .byte 0
gradwire_paper_begin:
#ifdef GRADWIRE_PAPER
        .incbin GRADWIRE_PAPER
#endif
gradwire_paper_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
